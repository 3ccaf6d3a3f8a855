-- Takes the lines of a reference file: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.reference_row
insert into temp.reference_row
select *
from rows_of(
    ?,
    '[{"id": "bigint", "value": "varchar", "day_of_week": "integer", "opens_secs": "integer", "closes_secs": "integer"}]'
)
