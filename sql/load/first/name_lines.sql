-- What the lines to load say of zones and items, in words.
create or replace temp table line_group as
select
    cast(g.zone_id as varchar) as zone_id,
    cast(g.written_on as varchar) as day,
    p.zone_name,
    cast(g.location_id as varchar) as location_id,
    p.location_name,
    cast(null as varchar) as item_id,
    cast(null as varchar) as item_name,
    cast(null as varchar) as artist_id,
    cast(null as varchar) as artist_name,
    true as is_by_zone,
    g.lines,
    g.lines as sound_lines,
    g.hash,
    g.first_two[1] as first_at,
    g.last_at,
    false as is_mended
from place_group as g
inner join place_sample as s on s.place_hash = g.place_hash
inner join picked as p on p.ordinal = s.ordinal
union all
select
    cast(null as varchar) as zone_id,
    cast(null as varchar) as day,
    cast(null as varchar) as zone_name,
    cast(null as varchar) as location_id,
    cast(null as varchar) as location_name,
    cast(g.item_id as varchar) as item_id,
    p.item_name,
    cast(g.artist_id as varchar) as artist_id,
    p.artist_name,
    false as is_by_zone,
    g.lines,
    g.lines as sound_lines,
    cast(null as hugeint) as hash,
    g.first_at,
    g.last_at,
    false as is_mended
from item_group as g
inner join item_sample as s on s.item_hash = g.item_hash
inner join picked as p on p.ordinal = s.ordinal
union all
select
    *,
    true as is_mended
from grouped_line('mended_text');
