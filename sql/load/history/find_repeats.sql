-- The keys that several lines of a span of instants have: the parameters are its start and its end, exclusive.
-- Reads: temp.record
-- Makes: temp.repeated_key
insert into temp.repeated_key
select
    zone_id,
    item_id,
    played_at
from temp.record
where played_at >= cast(? as timestamp) and played_at < cast(? as timestamp)
group by zone_id, item_id, played_at
having count(*) > 1
