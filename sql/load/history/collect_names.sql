-- The names and locations that were read: which, and from when until when.
-- Reads: $kind, temp.item, temp.place
-- Makes: temp.seen_name, temp.seen_zone_location
insert into temp.seen_name
with named as (
    select
        'zone' as subject,
        '' as kind,
        zone_id as id,
        zone_name as name,
        first_at,
        last_at
    from temp.place
    union all
    select
        'location' as subject,
        '' as kind,
        location_id as id,
        location_name as name,
        first_at,
        last_at
    from temp.place
    union all
    select
        'item' as subject,
        getvariable('kind') as kind,
        item_id as id,
        item_name as name,
        first_at,
        last_at
    from temp.item
    union all
    select
        'artist' as subject,
        '' as kind,
        artist_id as id,
        artist_name as name,
        first_at,
        last_at
    from temp.item
)

select
    subject,
    kind,
    id,
    name,
    min(first_at) as first_at,
    max(last_at) as last_at
from named
where id is not null and name <> ''
group by subject, kind, id, name;

insert into temp.seen_zone_location
select
    zone_id,
    location_id,
    min(first_at) as first_at,
    max(last_at) as last_at
from temp.place
where location_id is not null
group by zone_id, location_id;
