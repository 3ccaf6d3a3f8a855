-- Samples whose line is another one than the row says.
with misplaced as (
    select g.ordinal
    from place_group as g
    left join picked as p on p.ordinal = g.ordinal
    where
        g.ordinal in (select ordinal from place_sample)
        and place_hash(p.zone_id, p.zone_name, p.location_id, p.location_name) is distinct from g.place_hash
    union all
    select g.ordinal
    from item_group as g
    left join picked as p on p.ordinal = g.ordinal
    where
        g.ordinal in (select ordinal from item_sample)
        and item_hash(p.item_id, p.item_name, p.artist_id, p.artist_name) is distinct from g.item_hash
)

select count(*) as misplaced
from misplaced
