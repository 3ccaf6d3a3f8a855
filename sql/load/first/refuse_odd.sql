-- Lines with such ids are no records, or at least not for DuckDB to read.
create or replace temp table wanted_line as
select
    rowid - getvariable('first_row') + 1 as ordinal,
    true as is_refused
from core.play
where
    first_load_id = getvariable('load_id')
    and zone_id >= 0
    and (
        place_hash in (select place_hash from odd_hash where place_hash is not null)
        or item_hash in (select item_hash from odd_hash where item_hash is not null)
    );

update core.play
set zone_id = -1
from wanted_line as w
where play.first_load_id = getvariable('load_id') and play.rowid = w.ordinal + getvariable('first_row') - 1
