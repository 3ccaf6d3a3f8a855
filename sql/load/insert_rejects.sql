insert into core.reject
select
    getvariable('load_id') as load_id,
    row.line_number,
    row.reason,
    row.line
from (
    select unnest(
        from_json(cast(? as varchar), '[{"line_number": "bigint", "reason": "varchar", "line": "varchar"}]')
    ) as row
)
