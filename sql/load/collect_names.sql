-- Names and locations that the loaded lines give, from the groups of lines: which, and from when until when.
create or replace temp table seen_name as
with named as (
    select
        'zone' as subject,
        '' as kind,
        zone_id as id,
        zone_name as name,
        first_at,
        last_at
    from line_group
    where is_by_zone and sound_lines > 0
    union all
    select
        'location' as subject,
        '' as kind,
        location_id as id,
        location_name as name,
        first_at,
        last_at
    from line_group
    where is_by_zone and sound_lines > 0
    union all
    select
        'item' as subject,
        getvariable('kind') as kind,
        item_id as id,
        item_name as name,
        first_at,
        last_at
    from line_group
    where not is_by_zone and sound_lines > 0
    union all
    select
        'artist' as subject,
        '' as kind,
        artist_id as id,
        artist_name as name,
        first_at,
        last_at
    from line_group
    where not is_by_zone and sound_lines > 0
)

select
    subject,
    kind,
    cast(id as bigint) as id,
    name,
    min(first_at) as first_at,
    max(last_at) as last_at
from named
where id is not null and name <> ''
group by subject, kind, id, name;

create or replace temp table seen_zone_location as
select
    cast(zone_id as bigint) as zone_id,
    cast(location_id as bigint) as location_id,
    min(first_at) as first_at,
    max(last_at) as last_at
from line_group
where is_by_zone and sound_lines > 0 and location_id is not null
group by zone_id, location_id;
