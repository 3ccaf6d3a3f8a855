-- Merges lines in one time slice into one record if they have the same zone, item and instant. If core has that play,
-- and the landing also contains the play's line, which was not read, the play's values are merged too.
-- Reads: $slice_from, $slice_to, temp.line, temp.matched, temp.place, temp.record, temp.stored_play
-- Leaves: $repeats, temp.merged_repeat, temp.repeated_key

-- Counts lines that share zone and instant, as a cheap test that finds no lines in most slices. It may find lines
-- without any repeat, because two items may begin at the same instant in a zone.
set variable repeats = (
    select count(*) - count(distinct hash(p.zone_id, l.played_at)) + count(m.line_row) as repeats
    from temp.line as l
    inner join temp.place as p on p.place_hash = l.place_hash
    left join temp.matched as m on m.line_row = l.rowid and m.is_shown
    where l.played_at >= getvariable('slice_from') and l.played_at < getvariable('slice_to')
);

insert into temp.repeated_key
select
    r.zone_id,
    r.item_id,
    r.played_at
from temp.record as r
left join temp.matched as m on m.line_row = r.line_row and m.is_shown
where
    r.played_at >= getvariable('slice_from')
    and r.played_at < getvariable('slice_to')
    and getvariable('repeats') > 0
group by r.zone_id, r.item_id, r.played_at
having count(*) > 1 or count(m.line_row) > 0;

-- Takes the longest duration, and the lowest artist id among the lines with that duration. If the lines disagree on
-- offset or location, the choice is arbitrary but does not depend on their order.
insert into temp.merged_repeat
with repeated as (
    select
        r.*,
        false as is_play
    from temp.record as r
    semi join temp.repeated_key as k on k.zone_id = r.zone_id and k.item_id = r.item_id and k.played_at = r.played_at
    union all by name
    select
        p.zone_id,
        p.item_id,
        p.played_at,
        p.written_offset_minutes,
        p.duration_secs,
        p.location_id,
        p.artist_id,
        true as is_play
    from temp.stored_play as p
    semi join temp.matched as m on m.stored_row = p.stored_row and m.is_shown
)

select
    min(line_row) as line_row,
    min(load_id) as load_id,
    zone_id,
    item_id,
    played_at,
    min(written_offset_minutes) as written_offset_minutes,
    max(duration_secs) as duration_secs,
    min(location_id) as location_id,
    nullif(
        struct_extract(min({first: -duration_secs, second: coalesce(artist_id, 9223372036854775807)}), 'second'),
        9223372036854775807
    ) as artist_id,
    count(distinct (written_offset_minutes, duration_secs, location_id, artist_id)) = 1 as is_exact,
    count(*) - 1 as repeats
from repeated
where
    played_at >= getvariable('slice_from')
    and played_at < getvariable('slice_to')
    and getvariable('repeats') > 0
group by zone_id, item_id, played_at;
