-- Compares values to decide which of the differing records change the play in core. The longer duration is used. Offset
-- and location come from the landing that was requested last, unless it changed nothing when it was loaded. Removes
-- records that only seem to match a play, because different keys have the same hash.
-- Reads: core.load, core.play, temp.incoming, temp.landing, temp.matched
-- Leaves: temp.matched
update temp.matched
set
    is_changed = c.is_changed,
    is_late = c.is_late
from (
    select
        m.rowid as matched_row,
        case
            when p.zone_id = i.zone_id and p.item_id = i.item_id and p.played_at = i.played_at
                then i.written_offset_minutes <> p.written_offset_minutes and not coalesce(d.requested_at < l.requested_at, false)
                or i.duration_secs > p.duration_secs
                or case
                    when d.requested_at < l.requested_at then p.location_id is null and i.location_id is not null
                    else coalesce(i.location_id, p.location_id) is distinct from p.location_id
                end
                or case
                    when i.duration_secs < p.duration_secs then false
                    when i.duration_secs = p.duration_secs
                        then least(i.artist_id, p.artist_id) is distinct from p.artist_id
                    else i.artist_id is distinct from p.artist_id
                end
        end as is_changed,
        coalesce(d.requested_at < l.requested_at, false) as is_late
    from temp.matched as m
    inner join temp.incoming as i on i.line_row = m.line_row
    inner join core.play as p on p.rowid = m.stored_row
    inner join temp.landing as d on d.load_id = i.load_id
    left join core.load as l on l.load_id = p.last_load_id
    where m.is_changed
) as c
where matched.rowid = c.matched_row;

delete from temp.matched
where is_changed is null;
