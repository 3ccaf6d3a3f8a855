-- Zone days whose applicable listings changed since the last build, and days that became settled or
-- unsettled.
--
-- Reads: core.built_zone_day, core.built_zone_listing, mart.bridge_zone_listing, staging.zone_day_state
with changed as (
    select
        coalesce(n.kind, b.kind) as kind,
        coalesce(n.zone_id, b.zone_id) as zone_id,
        -- If from_at or until_at is null, the period is open on that side.
        case when n.kind is not null and b.kind is not null then least(
            coalesce(n.settled_until, timestamp '1970-01-01 00:00:00'),
            coalesce(b.settled_until, timestamp '1970-01-01 00:00:00')
        ) end as from_at,
        case when n.kind is not null and b.kind is not null then greatest(
            coalesce(n.settled_until, timestamp '1970-01-01 00:00:00'),
            coalesce(b.settled_until, timestamp '1970-01-01 00:00:00')
        ) end as until_at
    from mart.bridge_zone_listing as n
    full join core.built_zone_listing as b
        on b.kind = n.kind and b.zone_id = n.zone_id and b.owner_kind = n.owner_kind and b.owner_id = n.owner_id
    where n.kind is null or b.kind is null or n.settled_until is distinct from b.settled_until
),

day as (
    select zone_id, date, end_at
    from staging.zone_day_state
    union
    select zone_id, date, end_at
    from core.built_zone_day
)

select distinct
    c.kind,
    d.date
from changed as c
inner join day as d on d.zone_id = c.zone_id
where (c.from_at is null or d.end_at > c.from_at) and (c.until_at is null or d.end_at <= c.until_at)
