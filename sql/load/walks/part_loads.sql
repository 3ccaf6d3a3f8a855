-- Gives each of the walks that were loaded together what it brought. part has a row per walk: its zone, its own
-- number, and which lines were its own.
create or replace temp table part as
select row.*
from (
    select unnest(
        from_json(
            cast(getvariable('parts') as varchar),
            '[{"load_id": "bigint", "zone_id": "bigint", "lines_before": "bigint", "lines": "bigint"}]'
        )
    ) as row
);

update core.reject
set
    load_id = p.load_id,
    line_number = reject.line_number - p.lines_before
from part as p
where
    reject.load_id = getvariable('load_id')
    and reject.line_number > p.lines_before
    and reject.line_number <= p.lines_before + p.lines;

update core.play
set
    first_load_id = case
        when play.first_load_id = getvariable('load_id') then p.load_id
        else play.first_load_id
    end,
    last_load_id = p.load_id
from part as p
where
    play.last_load_id = getvariable('load_id')
    and play.zone_id = p.zone_id
    and p.load_id <> getvariable('load_id');
