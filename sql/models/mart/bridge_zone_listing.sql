-- One row per kind, zone and owner of the campaign listings that apply to the zone: the zone itself if it ever had its
-- own listing, otherwise its groups.
--
-- Grain: kind, zone_id, owner_kind, owner_id
-- Reads: core.build_setting, core.campaign_listing, core.load, staging.zone_group
-- Built: whole
-- Columns:
--   kind            = dim_campaign.kind
--   zone_id         = dim_zone.zone_id: The zone.
--   owner_kind      Owner type (text): Owner of the listings: zone or group.
--   owner_id        Owner id (id): The zone itself (dim_zone), or a group that it belongs to (dim_group).
--   first_at        First listing (instant): Instant of the owner's first listing, in UTC.
--   settled_until   Settled until (instant): Days that ended by this instant (UTC) are settled: a complete export or
--                   walk that covers the zone was requested at least VENUE_SETTLE_DAYS later. Note: Null without a
--                   complete export or walk.

with listing as (
    select
        kind,
        owner_kind,
        owner_id,
        min(requested_at) as first_at
    from core.campaign_listing
    where is_valid
    group by kind, owner_kind, owner_id
),

owner as (
    select
        kind,
        owner_id as zone_id,
        owner_kind,
        owner_id,
        first_at
    from listing
    where owner_kind = 'zone'
    union all
    select
        g.kind,
        z.zone_id,
        g.owner_kind,
        g.owner_id,
        g.first_at
    from listing as g
    inner join staging.zone_group as z on z.group_id = g.owner_id
    left join listing as o on o.owner_kind = 'zone' and o.kind = g.kind and o.owner_id = z.zone_id
    where g.owner_kind = 'group' and o.owner_id is null
),

-- An export covers every zone in its group, even zones without lines.
request as (
    select
        l.kind,
        z.zone_id,
        l.requested_at
    from core.load as l
    inner join staging.zone_group as z on z.group_id = l.group_id
    where l.source = 'export' and l.is_complete
    union all
    select
        kind,
        zone_id,
        requested_at
    from core.load
    where source = 'walk' and is_complete and zone_id is not null
),

covered as (
    select
        kind,
        zone_id,
        max(requested_at) as requested_at
    from request
    group by kind, zone_id
),

setting as (
    select coalesce(max(cast(value as integer)), 3) as settle_days
    from core.build_setting
    where name = 'settle_days'
)

select
    o.kind,
    o.zone_id,
    o.owner_kind,
    o.owner_id,
    o.first_at,
    cast(c.requested_at - s.settle_days * interval '1' day as timestamp(6)) as settled_until
from owner as o
cross join setting as s
left join covered as c on c.kind = o.kind and c.zone_id = o.zone_id
