-- The names and locations that were read: which, and from when until when.
-- Reads: $kind, temp.item, temp.line_set, temp.place
-- Makes: temp.seen_name, temp.seen_zone_location
insert into temp.seen_name
with named as (
    select
        unnest(
            [
                {'subject': 'zone', 'kind': '', 'id': p.zone_id, 'name': p.zone_name},
                {'subject': 'location', 'kind': '', 'id': p.location_id, 'name': p.location_name}
            ],
            recursive := true
        ),
        s.first_at,
        s.last_at
    from temp.place as p
    inner join temp.line_set as s on s.is_place and s.hash = p.place_hash
    union all
    select
        unnest(
            [
                {'subject': 'item', 'kind': getvariable('kind'), 'id': i.item_id, 'name': i.item_name},
                {'subject': 'artist', 'kind': '', 'id': i.artist_id, 'name': i.artist_name}
            ],
            recursive := true
        ),
        s.first_at,
        s.last_at
    from temp.item as i
    inner join temp.line_set as s on not s.is_place and s.hash = i.item_hash
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
    p.zone_id,
    p.location_id,
    min(s.first_at) as first_at,
    max(s.last_at) as last_at
from temp.place as p
inner join temp.line_set as s on s.is_place and s.hash = p.place_hash
where p.location_id is not null
group by p.zone_id, p.location_id;
