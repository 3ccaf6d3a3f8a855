-- The landings that this warehouse has loaded, among those in the parameter, a JSON array of ids.
with requested as (
    select unnest(from_json(cast(? as varchar), '["varchar"]')) as landing_id
),

loaded as (
    select
        l.landing_id,
        l.source,
        l.kind,
        l.group_id,
        l.zone_id,
        l.requested_at,
        l.loaded_at,
        l.is_complete
    from core.load as l
    semi join requested as r on r.landing_id = l.landing_id
    union all
    select
        s.landing_id,
        s.source,
        s.kind,
        s.group_id,
        s.zone_id,
        s.requested_at,
        s.loaded_at,
        true as is_complete
    from core.snapshot as s
    semi join requested as r on r.landing_id = s.landing_id
)

select
    landing_id as "landingId",
    source,
    kind,
    group_id as "groupId",
    zone_id as "zoneId",
    epoch_ms(loaded_at) as "loadedMs",
    -- A later one among these is complete.
    coalesce(
        max(requested_at) filter (where is_complete) over (partition by source, kind, group_id, zone_id)
        > requested_at,
        false
    ) as "isSuperseded"
from loaded
