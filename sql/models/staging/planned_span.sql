-- One row per span of planned maintenance, merged where notices overlap. The service does not link notices to zones, so
-- maintenance applies to all zones.
--
-- Grain: from_at
-- Reads: staging.notice
-- Built: view
-- Columns:
--   from_at    Start, in UTC.
--   until_at   End, exclusive; 9999-12-31 while ongoing.

with known as (
    select
        cast(date_trunc('second', began_at) as timestamp(6)) as from_at,
        cast(date_trunc('second', coalesce(ended_at, timestamp '9999-12-31 00:00:00')) as timestamp(6)) as until_at
    from staging.notice
    where type = 'planned' and is_effective
),

reached as (
    select
        from_at,
        until_at,
        max(until_at) over (order by from_at, until_at rows between unbounded preceding and 1 preceding)
            as reached_at
    from known
),

numbered as (
    select
        from_at,
        until_at,
        cast(
            sum(case when reached_at >= from_at then 0 else 1 end) over (order by from_at, until_at) as bigint
        ) as span_number
    from reached
)

select
    min(from_at) as from_at,
    max(until_at) as until_at
from numbered
group by span_number
