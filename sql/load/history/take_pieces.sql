-- Takes pieces as they were cut; the parameter is a JSON array of some of them.
-- Reads: nothing
-- Makes: temp.cut_piece
insert into temp.cut_piece
select *
from rows_of(
    ?,
    '[{"place": "integer", "load_id": "bigint", "digest": "varchar", "bytes": "bigint", "lines": "bigint",
       "blank": "bigint", "is_known": "boolean"}]'
)
