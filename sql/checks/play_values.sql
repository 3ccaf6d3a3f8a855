-- Each play lasted between one second and 31 days, and its local time, date and hour match its instant.
-- Severity: error

select
    p.kind,
    p.zone_id,
    p.item_key,
    p.played_at,
    p.played_at_local,
    p.utc_offset_minutes,
    p.date,
    p.play_hour,
    p.duration_secs
from mart.fact_play as p
inner join core.checked_day as d on d.date = p.date
where
    p.duration_secs not between 1 and 2678400
    or p.date <> cast(p.played_at_local as date)
    or p.play_hour <> hour(p.played_at_local)
    or date_diff('second', p.played_at, p.played_at_local) <> p.utc_offset_minutes * 60
