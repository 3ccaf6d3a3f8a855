-- What the lines to load say, one record per key, beside what core has.
create or replace temp view staged_record as
select * from sound_record('changed_text')
union all
select * from sound_record('mended_text');

create or replace temp table incoming as
from merged_record('staged_record');

create or replace temp table compared as
with matched as (
    select
        i.zone_id,
        i.item_id,
        i.played_at,
        i.played_at_local,
        i.utc_offset_minutes,
        i.written_offset_minutes,
        i.date,
        greatest(i.duration_secs, p.duration_secs) as duration_secs,
        coalesce(i.location_id, p.location_id) as location_id,
        case
            when p.duration_secs > i.duration_secs then p.artist_id
            when p.duration_secs = i.duration_secs then least(i.artist_id, p.artist_id)
            else i.artist_id
        end as artist_id,
        p.stored_row,
        p.date as stored_date,
        p.written_offset_minutes as stored_offset_minutes,
        p.duration_secs as stored_duration_secs,
        p.location_id as stored_location_id,
        p.artist_id as stored_artist_id
    from incoming as i
    left join (select *, rowid as stored_row from core.play where kind = getvariable('kind')) as p
        on p.zone_id = i.zone_id and p.item_id = i.item_id and p.played_at = i.played_at
)

select
    *,
    stored_row is null as is_new,
    stored_row is not null
    and (
        written_offset_minutes <> stored_offset_minutes
        or duration_secs <> stored_duration_secs
        or location_id is distinct from stored_location_id
        or artist_id is distinct from stored_artist_id
    ) as is_changed
from matched;
