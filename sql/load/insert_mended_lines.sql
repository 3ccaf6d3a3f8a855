insert into mended
select
    row.line_number,
    row.line
from (select unnest(from_json(cast(? as varchar), '[{"line_number": "bigint", "line": "varchar"}]')) as row)
