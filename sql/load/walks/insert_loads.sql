-- The parameter is a JSON array of rows.
insert into core.load
select
    row.load_id,
    row.landing_id,
    'walk' as source,
    row.kind,
    cast(null as bigint) as group_id,
    row.zone_id,
    row.requested_at,
    row.loaded_at,
    row.is_complete,
    row.bytes,
    row.lines,
    row.new_plays,
    row.changed,
    row.unchanged,
    row.duplicate,
    row.rejected,
    row.blank,
    row.zero_second,
    0 as vanished
from (
    select unnest(
        from_json(
            cast(? as varchar),
            '[{"load_id": "bigint", "landing_id": "varchar", "kind": "varchar", "zone_id": "bigint",
               "requested_at": "timestamp", "loaded_at": "timestamp", "is_complete": "boolean", "bytes": "bigint",
               "lines": "bigint", "new_plays": "bigint", "changed": "bigint", "unchanged": "bigint",
               "duplicate": "bigint", "rejected": "bigint", "blank": "bigint", "zero_second": "bigint"}]'
        )
    ) as row
)
