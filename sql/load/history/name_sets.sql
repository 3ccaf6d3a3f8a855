-- What the sets are: the ids and names of a judged line whose hash is still the same after JavaScript rewrote it.
-- Reads: temp.judged_text, temp.line_set
-- Makes: temp.item, temp.place
delete from temp.place;

delete from temp.item;

insert into temp.place
select
    s.hash as place_hash,
    cast(j.zone_id as bigint) as zone_id,
    j.zone_name,
    cast(j.location_id as bigint) as location_id,
    j.location_name,
    s.first_at,
    s.last_at
from temp.line_set as s
inner join typed_line('temp.judged_text') as j on j.line_row = s.line_row and j.place_hash = s.hash
where s.is_place;

insert into temp.item
select
    s.hash as item_hash,
    cast(j.item_id as bigint) as item_id,
    j.item_name,
    cast(j.artist_id as bigint) as artist_id,
    j.artist_name,
    s.first_at,
    s.last_at
from temp.line_set as s
inner join typed_line('temp.judged_text') as j on j.line_row = s.line_row and j.item_hash = s.hash
where not s.is_place;
