-- How many lines of a slice of instants repeat another one. Two keys of one hash only cause a closer look.
select count(*) - count(distinct hash(zone_id, item_id, played_at)) as repeats
from core.play
where
    first_load_id = getvariable('load_id')
    and zone_id >= 0
    and played_at >= cast(? as timestamp)
    and played_at < cast(? as timestamp)
