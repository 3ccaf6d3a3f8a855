-- Lines of one key become one record: the longest, among equally long ones of the lowest artist. Which offset and
-- location count where lines of one landing disagree is arbitrary, but does not hang on their order.
-- Reads: temp.record, temp.repeated_key
-- Makes: temp.merged_repeat
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
group by r.zone_id, r.item_id, r.played_at
