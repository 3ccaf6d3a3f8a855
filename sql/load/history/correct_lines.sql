-- Corrects the rows that JavaScript classified, and collects the distinct sets of ids and names in all sound rows.
-- Reads: temp.classified_text, temp.line, temp.wanted_line
-- Leaves: $first_played_at, $last_played_at, temp.line, temp.line_set

-- Resets the rows of all classified lines. Only those that are records become sound again below.
update temp.line
set played_at = null
from temp.wanted_line as w
where line.played_at is not null and line.rowid = w.line_row;

update temp.line
set
    played_at = j.sound_played_at,
    duration_secs = j.seconds,
    place_hash = j.place_hash,
    item_hash = j.item_hash
from typed_line('temp.classified_text') as j
where line.rowid = j.line_row;

delete from temp.line_set;

insert into temp.line_set
select
    item_hash is null as is_place,
    coalesce(place_hash, item_hash) as hash,
    min(rowid) as line_row,
    min(played_at) as first_at,
    max(played_at) as last_at
from temp.line
where played_at is not null
group by grouping sets ((place_hash), (item_hash));

set variable first_played_at = (select min(first_at) from temp.line_set);

set variable last_played_at = (select max(last_at) from temp.line_set);
