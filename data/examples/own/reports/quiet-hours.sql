-- Hours of the day without plays, in zones that played before and after.
--
-- Title: Quiet gaps over the day
-- Columns:
--   zone_days    Zone days (count): Zone days with plays before and after this hour.
--   quiet_days   Quiet zone days (count): Zone days on which no play began in this hour.
--   quiet_share  Quiet (share): Quiet zone days ÷ zone days.

with played as (
    select
        f.zone_id,
        f.date,
        f.play_hour
    from fact_play_zone_hour as f
    inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
    group by f.zone_id, f.date, f.play_hour
),

span as (
    select
        zone_id,
        date,
        min(play_hour) as first_hour,
        max(play_hour) as last_hour
    from played
    group by zone_id, date
),

hour_of_day as (
    select distinct play_hour
    from fact_play_zone_hour
)

select
    h.play_hour as hour,
    count(*) as zone_days,
    count(case when p.zone_id is null then 1 end) as quiet_days,
    cast(count(case when p.zone_id is null then 1 end) as double) / count(*) as quiet_share
from span as s
inner join hour_of_day as h on h.play_hour > s.first_hour and h.play_hour < s.last_hour
left join played as p on p.zone_id = s.zone_id and p.date = s.date and p.play_hour = h.play_hour
group by h.play_hour
order by h.play_hour
