-- How many lines of a slice of instants repeat another one. Two keys of one hash only cause a closer look.
select count(*) - count(distinct hash(zone_id, item_id, played_at)) as repeats
from core.play
where kind = getvariable('kind') and played_at >= cast(? as timestamp) and played_at < cast(? as timestamp)
