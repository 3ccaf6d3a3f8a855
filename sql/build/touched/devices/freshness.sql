-- Days whose coverage by history changed since the last build. Only on covered days does a lack of plays mean that
-- nothing played.
--
-- Reads: core.built_freshness, core.zone_day, staging.freshness
with known as (
    select
        f.data_as_of,
        b.data_as_of as built_data_as_of
    from staging.freshness as f
    cross join core.built_freshness as b
    where f.data_as_of is distinct from b.data_as_of
),

span as (
    select
        case
            when built_data_as_of < data_as_of then built_data_as_of
            when built_data_as_of is null then timestamp '1970-01-01 00:00:00'
            else coalesce(data_as_of, timestamp '1970-01-01 00:00:00')
        end as from_at,
        case when data_as_of > built_data_as_of or built_data_as_of is null then data_as_of else built_data_as_of end
            as until_at
    from known
)

select distinct
    '' as kind,
    z.date
from span as s
inner join core.zone_day as z
    on z.start_at < cast(s.until_at + interval '1' day as timestamp(6))
    and z.end_at > cast(s.from_at - interval '1' day as timestamp(6))
