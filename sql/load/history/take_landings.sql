-- Takes the landings; the parameter is a JSON array of them.
-- Reads: nothing
-- Makes: temp.landing
insert into temp.landing
select *
from rows_of(
    ?,
    '[{"load_id": "bigint", "landing_id": "varchar", "zone_id": "bigint", "requested_at": "timestamp",
       "latest_played_at": "timestamp", "loaded_at": "timestamp", "is_complete": "boolean", "bytes": "bigint"}]'
)
