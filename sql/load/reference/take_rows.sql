-- Takes the lines of a reference file: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.reference_row
insert into temp.reference_row
select
    row.id,
    row.value,
    row.day_of_week,
    row.opens_secs,
    row.closes_secs
from (
    select
        unnest(
            from_json(
                cast(? as varchar),
                '[{"id": "bigint", "value": "varchar", "day_of_week": "integer", "opens_secs": "integer",
                   "closes_secs": "integer"}]'
            )
        ) as row
)
