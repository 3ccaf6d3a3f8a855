-- Sets of names whose lines give an id in a way that a cast takes and the contract does not, such as true.
create or replace temp macro is_odd(text) as
text is not null and coalesce(cast(try_cast(text as bigint) as varchar) <> text, true);

create or replace temp table odd_hash as
select
    s.place_hash,
    cast(null as ubigint) as item_hash
from place_sample as s
inner join picked as p on p.ordinal = s.ordinal
where is_odd(p.zone_id) or is_odd(p.location_id)
union all
select
    cast(null as ubigint) as place_hash,
    s.item_hash
from item_sample as s
inner join picked as p on p.ordinal = s.ordinal
where is_odd(p.item_id) or is_odd(p.artist_id)
