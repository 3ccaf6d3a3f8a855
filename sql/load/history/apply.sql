-- Stores the plays, names and locations that were read. Skipped if all lines are known. The conditions on $new_records
-- and $changed_records avoid a pass over all records if there is nothing to store. A changed play loses its hash. Once
-- a landing contains a line with the play's values, the play gets that line's hash.
-- Reads: $changed_records, $kind, $load_id, $new_records, core.play, core.zone_time_zone, temp.incoming, temp.item,
--   temp.line_set, temp.matched, temp.place, temp.row_hash
-- Leaves: core.play, temp.changed_day, temp.seen_name, temp.seen_zone_location, temp.touched_zone

-- Names of zones, locations, items and artists, with the first and last instant at which each was seen.
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

insert into core.play by name
with fresh as (
    select
        i.*,
        local_time(i.played_at, i.written_offset_minutes, t.time_zone) as played_at_local,
        case when i.is_exact then h.hash end as line_hash
    from temp.incoming as i
    left join temp.row_hash as h on h.line_row = i.line_row
    left join core.zone_time_zone as t on t.zone_id = i.zone_id
    anti join temp.matched as m on m.line_row = i.line_row
    where getvariable('new_records') > 0
)

select
    getvariable('kind') as kind,
    zone_id,
    item_id,
    played_at,
    played_at_local,
    cast((epoch_us(played_at_local) - epoch_us(played_at)) // 60000000 as smallint) as utc_offset_minutes,
    written_offset_minutes,
    cast(played_at_local as date) as date,
    duration_secs,
    location_id,
    artist_id,
    load_id as first_load_id,
    load_id as last_load_id,
    line_hash
from fresh;

insert into temp.changed_day
select distinct
    getvariable('kind') as kind,
    p.date
from core.play as p
inner join temp.matched as m on m.stored_row = p.rowid
where m.is_changed and getvariable('changed_records') > 0;

update core.play
set
    played_at_local = c.played_at_local,
    utc_offset_minutes = cast((epoch_us(c.played_at_local) - epoch_us(play.played_at)) // 60000000 as smallint),
    written_offset_minutes = c.written_offset_minutes,
    date = cast(c.played_at_local as date),
    duration_secs = greatest(c.duration_secs, play.duration_secs),
    location_id = case
        when c.is_late then coalesce(play.location_id, c.location_id)
        else coalesce(c.location_id, play.location_id)
    end,
    artist_id = case
        when c.duration_secs < play.duration_secs then play.artist_id
        when c.duration_secs = play.duration_secs then least(c.artist_id, play.artist_id)
        else c.artist_id
    end,
    last_load_id = case when c.is_late then play.last_load_id else c.load_id end,
    line_hash = null
from (
    with merged as (
        select
            m.stored_row,
            m.is_late,
            i.* replace (
                case when m.is_late then p.written_offset_minutes else i.written_offset_minutes end
                as written_offset_minutes
            )
        from temp.incoming as i
        inner join temp.matched as m on m.line_row = i.line_row and m.is_changed
        inner join core.play as p on p.rowid = m.stored_row
    )

    select
        m.*,
        local_time(m.played_at, m.written_offset_minutes, t.time_zone) as played_at_local
    from merged as m
    left join core.zone_time_zone as t on t.zone_id = m.zone_id
) as c
where play.rowid = c.stored_row and getvariable('changed_records') > 0;

insert into temp.changed_day
select distinct
    getvariable('kind') as kind,
    date
from core.play
where last_load_id >= getvariable('load_id');

insert into temp.touched_zone
select distinct zone_id
from core.play
where last_load_id >= getvariable('load_id')
union
select distinct p.zone_id
from core.play as p
inner join temp.matched as m on m.stored_row = p.rowid
where m.is_changed and m.is_late and getvariable('changed_records') > 0;
