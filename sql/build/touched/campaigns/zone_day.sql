-- Days of zones that came, went, or stand otherwise than when cells were built last: others than before have plays, are
-- closed, or have a device that is up or down.
--
-- Reads: core.built_zone_day, core.built_zone_listing, mart.bridge_zone_listing, staging.zone_day_state
with changed as (
    select
        coalesce(s.zone_id, b.zone_id) as zone_id,
        coalesce(s.date, b.date) as date
    from staging.zone_day_state as s
    full join core.built_zone_day as b on b.zone_id = s.zone_id and b.date = s.date
    where
        s.start_at is distinct from b.start_at
        or s.end_at is distinct from b.end_at
        or s.has_plays is distinct from b.has_plays
        or s.is_closed is distinct from b.is_closed
        or s.is_up is distinct from b.is_up
        or s.is_down is distinct from b.is_down
)

select distinct
    l.kind,
    c.date
from changed as c
inner join mart.bridge_zone_listing as l on l.zone_id = c.zone_id
union
select distinct
    l.kind,
    c.date
from changed as c
inner join core.built_zone_listing as l on l.zone_id = c.zone_id
