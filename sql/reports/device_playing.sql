-- Spans in which a device's zone played: plays at most ten minutes apart form one span.

with device_day as (
    select distinct
        f.zone_id,
        f.date
    from fact_device_day as f
    where f.date between {{from}} and {{to}} and f.device_id in ({{devices}})
),

play as (
    select
        f.played_at as started_at,
        cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6)) as ended_at
    from fact_play as f
    inner join device_day as d on d.zone_id = f.zone_id and d.date = f.date
    where f.date between {{from}} and {{to}}
    union
    -- Plays that last for days may begin before the period.
    select
        f.played_at as started_at,
        cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6)) as ended_at
    from fact_play as f
    inner join device_day as d
        on d.zone_id = f.zone_id
        and d.date > f.date
        and cast(d.date as timestamp(6)) < cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6))
    where f.duration_secs > 86400
),

after_pause as (
    select
        play.*,
        max(ended_at) over (
            order by started_at, ended_at
            rows between unbounded preceding and 1 preceding
        ) as played_until_at
    from play
),

numbered as (
    select
        started_at,
        ended_at,
        count(
            case
                when
                    played_until_at is null
                    or started_at > cast(played_until_at + interval '10' minute as timestamp(6))
                    then 1
            end
        ) over (order by started_at, ended_at rows between unbounded preceding and current row) as span_no
    from after_pause
)

select
    min(started_at) as started_at,
    max(ended_at) as ended_at
from numbered
group by span_no
order by started_at
