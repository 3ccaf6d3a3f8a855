-- Gets the ids, names and UTC offset of each set from a line with the set's hash, then selects one line for each set
-- that is still unnamed. If hashes of names collide, one of the names is used. A set stays unnamed if no such line has
-- been read yet, or if its line has an unusual form.
-- Reads: temp.set_text, temp.unnamed_set
-- Leaves: temp.item, temp.place, temp.wanted_line
insert into temp.place
select distinct on (t.place_hash)
    t.place_hash,
    exact_id(t.zone_id) as zone_id,
    t.zone_name,
    exact_id(t.location_id) as location_id,
    t.location_name,
    t.offset_minutes as written_offset_minutes
from typed_line('temp.set_text') as t
semi join temp.unnamed_set as s on s.is_place and s.hash = t.place_hash
where
    exact_id(t.zone_id) is not null
    and (t.location_id is null or exact_id(t.location_id) is not null)
    and regexp_full_match(t.written_offset, '[+-](0\d|1[0-4]):[0-5]\d|Z')
    and t.offset_minutes between -840 and 840
order by t.place_hash, t.zone_name, t.location_name;

insert into temp.item
select distinct on (t.item_hash)
    t.item_hash,
    exact_id(t.item_id) as item_id,
    t.item_name,
    exact_id(t.artist_id) as artist_id,
    t.artist_name
from typed_line('temp.set_text') as t
semi join temp.unnamed_set as s on not s.is_place and s.hash = t.item_hash
where
    exact_id(t.item_id) is not null
    and (t.artist_id is null or exact_id(t.artist_id) is not null)
order by t.item_hash, t.item_name, t.artist_name;

delete from temp.wanted_line;

insert into temp.wanted_line
select distinct line_row
from temp.unnamed_set;
