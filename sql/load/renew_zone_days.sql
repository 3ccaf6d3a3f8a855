-- The local days of the zones in touched_zone, from first to last play: by the named time zone, else by the offset
-- of the last play of that date, carried forward. A day ends where the next begins, so no second counts twice.
-- seen_play has the plays of the load counted_load_id; whether there are others is in has_other_plays.
delete from core.zone_day
using touched_zone as t
where zone_day.zone_id = t.zone_id;

insert into core.zone_day
with played as (
    select
        zone_id,
        date,
        utc_offset_minutes,
        last_at
    from seen_play
    union all
    select
        p.zone_id,
        p.date,
        p.utc_offset_minutes,
        max(p.played_at) as last_at
    from core.play as p
    semi join touched_zone as t on t.zone_id = p.zone_id
    where
        getvariable('has_other_plays')
        and p.duration_secs > 0
        and p.first_load_id <> getvariable('counted_load_id')
    group by p.zone_id, p.date, p.utc_offset_minutes
),

day_offset as (
    select
        zone_id,
        date,
        max_by(utc_offset_minutes, (last_at, utc_offset_minutes)) as utc_offset_minutes
    from played
    group by zone_id, date
),

-- One date more than there are plays for: where the last day ends.
date_of_zone as (
    select
        zone_id,
        cast(unnest(generate_series(min(date), max(date) + 1, interval 1 day)) as date) as date
    from day_offset
    group by zone_id
),

day_start as (
    select
        d.zone_id,
        d.date,
        case
            when t.time_zone is null then cast(d.date as timestamp) - to_minutes(o.utc_offset_minutes)
            else cast(timezone(t.time_zone, cast(d.date as timestamp)) as timestamp)
        end as start_at
    from date_of_zone as d
    asof join day_offset as o on o.zone_id = d.zone_id and o.date <= d.date
    left join core.zone_time_zone as t on t.zone_id = d.zone_id
)

select
    zone_id,
    date,
    start_at,
    lead(start_at) over (partition by zone_id order by date) as end_at
from day_start
qualify end_at is not null;
