-- Merges lines in one time slice into one record if they have the same zone, item and instant.
-- Reads: $slice_from, $slice_to, temp.line, temp.place, temp.record
-- Leaves: $repeats, temp.merged_repeat, temp.repeated_key

-- Counts lines that share zone and instant, as a cheap test that is negative for most slices. It may be positive
-- without any repeat, because two items may begin at the same instant in a zone.
set variable repeats = (
    select count(*) - count(distinct hash(p.zone_id, l.played_at)) as repeats
    from temp.line as l
    inner join temp.place as p on p.place_hash = l.place_hash
    where l.played_at >= getvariable('slice_from') and l.played_at < getvariable('slice_to')
);

insert into temp.repeated_key
select
    zone_id,
    item_id,
    played_at
from temp.record
where
    played_at >= getvariable('slice_from')
    and played_at < getvariable('slice_to')
    and getvariable('repeats') > 0
group by zone_id, item_id, played_at
having count(*) > 1;

-- Takes the longest duration, and the lowest artist id among the lines with that duration. If the lines disagree on
-- offset or location, the choice is arbitrary but does not depend on their order.
insert into temp.merged_repeat
select
    min(r.line_row) as line_row,
    arg_min(r.piece_id, r.line_row) as piece_id,
    min(r.load_id) as load_id,
    r.zone_id,
    r.item_id,
    r.played_at,
    min(r.written_offset_minutes) as written_offset_minutes,
    max(r.duration_secs) as duration_secs,
    min(r.location_id) as location_id,
    nullif(
        struct_extract(min({first: -r.duration_secs, second: coalesce(r.artist_id, 9223372036854775807)}), 'second'),
        9223372036854775807
    ) as artist_id,
    count(distinct (r.written_offset_minutes, r.duration_secs, r.location_id, r.artist_id)) > 1 as is_contradictory
from temp.record as r
semi join temp.repeated_key as k on k.zone_id = r.zone_id and k.item_id = r.item_id and k.played_at = r.played_at
where
    r.played_at >= getvariable('slice_from')
    and r.played_at < getvariable('slice_to')
    and getvariable('repeats') > 0
group by r.zone_id, r.item_id, r.played_at;
