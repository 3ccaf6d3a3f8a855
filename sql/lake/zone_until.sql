-- When zones reach the UNTIL of rules on days on which their clocks change, found as one machine finds it.
--
-- Reads: core.campaign_rule, core.play, core.service_time_zone, core.zone_day, core.zone_time_zone

with until as (
    select distinct until_at
    from core.campaign_rule
    where until_at is not null
),

changing_day as (
    select
        z.zone_id,
        z.date,
        u.until_at,
        t.time_zone
    from until as u
    inner join core.zone_day as z on z.start_at <= u.until_at and z.end_at > u.until_at
    left join core.zone_time_zone as t on t.zone_id = z.zone_id
    where date_diff('second', z.start_at, z.end_at) <> 86400
),

unnamed_zone as (
    select distinct zone_id
    from changing_day
    where time_zone is null
),

played as (
    select distinct p.zone_id
    from core.play as p
    inner join unnamed_zone as z on z.zone_id = p.zone_id
    where p.duration_secs > 0
),

service as (
    select coalesce(max(time_zone), 'UTC') as time_zone
    from core.service_time_zone
),

clock as (
    select
        d.zone_id,
        d.date,
        d.until_at,
        coalesce(d.time_zone, case when p.zone_id is null then s.time_zone end) as time_zone
    from changing_day as d
    cross join service as s
    left join played as p on p.zone_id = d.zone_id
)

select
    zone_id,
    date,
    until_at,
    cast(
        date_diff(
            'second',
            cast(date as timestamp(6)),
            cast(at_timezone(with_timezone(until_at, 'UTC'), time_zone) as timestamp(6))
        ) as integer
    ) as until_secs
from clock
where time_zone is not null
