insert into reference_row
select
    row.id,
    row.value
from (select unnest(from_json(cast(? as varchar), '[{"id": "bigint", "value": "varchar"}]')) as row)
