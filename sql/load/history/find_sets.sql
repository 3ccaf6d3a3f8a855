-- Which sets of ids and names sound lines have, from when until when.
-- Reads: $first_row, temp.line, temp.line_set
-- Makes: $first_played_at, $last_played_at, temp.line_set
delete from temp.line_set;

insert into temp.line_set
select
    item_hash is null as is_place,
    coalesce(place_hash, item_hash) as hash,
    min(rowid) - getvariable('first_row') as line_row,
    min(played_at) as first_at,
    max(played_at) as last_at
from temp.line
where played_at is not null
group by grouping sets ((place_hash), (item_hash));

set variable first_played_at = (select min(first_at) from temp.line_set);

set variable last_played_at = (select max(last_at) from temp.line_set);
