-- Takes lines that are no records; the parameter is a JSON array of them.
-- Reads: nothing
-- Makes: temp.reject
insert into temp.reject
select *
from rows_of(
    ?,
    '[{"piece_id": "bigint", "line_number": "bigint", "reason": "varchar", "line": "varchar", "ahead_at": "timestamp"}]'
)
