-- Replaces the zones' named time zones, and recalculates the local times of plays in zones whose time zone was added,
-- removed or changed.
-- Reads: core.play, core.zone_time_zone, temp.reference_row
-- Leaves: core.play, core.zone_time_zone, temp.changed_day, temp.moved_play, temp.touched_zone
insert into temp.touched_zone
select coalesce(r.id, t.zone_id) as zone_id
from temp.reference_row as r
full join core.zone_time_zone as t on t.zone_id = r.id
where r.value is distinct from t.time_zone;

delete from core.zone_time_zone;

insert into core.zone_time_zone
select
    id as zone_id,
    value as time_zone
from temp.reference_row;

insert into temp.moved_play
with local_time as (
    select
        p.rowid as stored_row,
        p.kind,
        p.played_at,
        p.played_at_local as stored_at_local,
        p.date as stored_date,
        local_time(p.played_at, p.written_offset_minutes, t.time_zone) as played_at_local
    from core.play as p
    semi join temp.touched_zone as z on z.zone_id = p.zone_id
    left join core.zone_time_zone as t on t.zone_id = p.zone_id
)

select
    stored_row,
    kind,
    played_at,
    stored_date,
    played_at_local,
    cast(played_at_local as date) as date
from local_time
where played_at_local <> stored_at_local;

update core.play
set
    played_at_local = m.played_at_local,
    utc_offset_minutes = cast((epoch_us(m.played_at_local) - epoch_us(m.played_at)) // 60000000 as smallint),
    date = m.date
from temp.moved_play as m
where play.rowid = m.stored_row;

insert into temp.changed_day
select distinct
    kind,
    unnest([stored_date, date]) as date
from temp.moved_play;
