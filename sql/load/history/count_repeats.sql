-- Of the lines of a span of instants, how many repeat a zone and an instant: the parameters are its start and its end,
-- exclusive. No key occurs twice where none does; a zone that began two items at one instant only causes a closer look.
-- Reads: temp.line, temp.place
-- Makes: nothing
select count(*) - count(distinct hash(p.zone_id, l.played_at)) as repeats
from temp.line as l
inner join temp.place as p on p.place_hash = l.place_hash
where l.played_at >= cast(? as timestamp) and l.played_at < cast(? as timestamp)
