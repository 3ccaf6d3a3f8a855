-- Takes the listings that are loaded together: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.listing
insert into temp.listing
select
    place,
    nextval('core.snapshot_id') as snapshot_id,
    landing_id,
    source,
    kind,
    group_id,
    zone_id,
    case when zone_id is not null then 'zone' when group_id is not null then 'group' else 'nobody' end as owner_kind,
    coalesce(zone_id, group_id) as owner_id,
    requested_at,
    loaded_at,
    unreadable_lines
from rows_of(
    ?,
    '[{"place": "integer", "landing_id": "varchar", "source": "varchar", "kind": "varchar", "group_id": "bigint",
       "zone_id": "bigint", "requested_at": "timestamp", "loaded_at": "timestamp", "unreadable_lines": "bigint"}]'
)
