-- The names and locations that were read: which, and from when until when.
-- Reads: $kind, temp.item, temp.line_set, temp.place
-- Makes: temp.seen_name, temp.seen_zone_location
insert into temp.seen_name
with named as (
    select
        true as is_place,
        place_hash as hash,
        'zone' as subject,
        '' as kind,
        zone_id as id,
        zone_name as name
    from temp.place
    union all
    select
        true as is_place,
        place_hash as hash,
        'location' as subject,
        '' as kind,
        location_id as id,
        location_name as name
    from temp.place
    union all
    select
        false as is_place,
        item_hash as hash,
        'item' as subject,
        getvariable('kind') as kind,
        item_id as id,
        item_name as name
    from temp.item
    union all
    select
        false as is_place,
        item_hash as hash,
        'artist' as subject,
        '' as kind,
        artist_id as id,
        artist_name as name
    from temp.item
)

select
    n.subject,
    n.kind,
    n.id,
    n.name,
    min(s.first_at) as first_at,
    max(s.last_at) as last_at
from named as n
inner join temp.line_set as s on s.is_place = n.is_place and s.hash = n.hash
where n.id is not null and n.name <> ''
group by n.subject, n.kind, n.id, n.name;

insert into temp.seen_zone_location
select
    p.zone_id,
    p.location_id,
    min(s.first_at) as first_at,
    max(s.last_at) as last_at
from temp.place as p
inner join temp.line_set as s on s.is_place and s.hash = p.place_hash
where p.location_id is not null
group by p.zone_id, p.location_id;
