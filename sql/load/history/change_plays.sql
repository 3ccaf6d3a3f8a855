-- Plays that these records change, and the days on which they were.
-- Reads: $kind, core.play, core.zone_time_zone, temp.incoming, temp.matched
-- Makes: core.play, temp.changed_day
insert into temp.changed_day
select distinct
    getvariable('kind') as kind,
    p.date
from core.play as p
inner join temp.matched as m on m.stored_row = p.rowid
where m.is_changed;

update core.play
set
    played_at_local = c.played_at_local,
    utc_offset_minutes = cast((epoch_us(c.played_at_local) - epoch_us(play.played_at)) // 60000000 as smallint),
    written_offset_minutes = c.written_offset_minutes,
    date = cast(c.played_at_local as date),
    duration_secs = greatest(c.duration_secs, play.duration_secs),
    location_id = coalesce(c.location_id, play.location_id),
    artist_id = case
        when c.duration_secs < play.duration_secs then play.artist_id
        when c.duration_secs = play.duration_secs then least(c.artist_id, play.artist_id)
        else c.artist_id
    end,
    last_load_id = c.load_id
from (
    select
        m.stored_row,
        i.*,
        local_time(i.played_at, i.written_offset_minutes, t.time_zone) as played_at_local
    from temp.incoming as i
    inner join temp.matched as m on m.line_row = i.line_row and m.is_changed
    left join core.zone_time_zone as t on t.zone_id = i.zone_id
) as c
where play.rowid = c.stored_row;
