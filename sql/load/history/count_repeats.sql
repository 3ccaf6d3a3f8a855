-- How many lines of a span of instants repeat a key: the parameters are its start and its end, exclusive. Two keys of
-- one hash only cause a closer look.
-- Reads: temp.item, temp.line, temp.place
-- Makes: nothing
select count(*) - count(distinct hash(p.zone_id, i.item_id, l.played_at)) as repeats
from temp.line as l
inner join temp.place as p on p.place_hash = l.place_hash
inner join temp.item as i on i.item_hash = l.item_hash
where l.played_at >= cast(? as timestamp) and l.played_at < cast(? as timestamp)
