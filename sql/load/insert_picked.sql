insert into picked_line
select
    row.ordinal,
    row.line
from (select unnest(from_json(cast(? as varchar), '[{"ordinal": "bigint", "line": "varchar"}]')) as row)
