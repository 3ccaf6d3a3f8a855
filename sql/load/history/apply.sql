-- Stores the plays, names and locations that were read, and removes pieces from the ledger that are no longer valid.
-- Skipped if all pieces are known. The conditions on $new_records and $changed_records avoid a pass over all records if
-- there is nothing to store.
-- Reads: $changed_records, $kind, $load_id, $new_records, $source, core.piece, core.piece_link, core.play,
--   core.zone_time_zone, temp.cut_piece, temp.incoming, temp.item, temp.line_set, temp.matched, temp.merged_repeat,
--   temp.piece, temp.place, temp.record
-- Leaves: core.piece, core.piece_link, core.piece_reject, core.play, temp.changed_day, temp.forgotten_piece,
--   temp.repeated_line, temp.seen_name, temp.seen_zone_location, temp.touched_zone

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

-- Detaches plays from a piece that was read again and no longer contains them as records. This happens if this landing
-- was requested before the one that contained them, because they were still in the future then. Such pieces are rare,
-- so they are selected before joining temp.matched.
update core.play
set piece_id = null
from (
    select p.rowid as stored_row
    from core.play as p
    semi join (
        select s.piece_id
        from core.piece as s
        semi join (select digest from temp.cut_piece where not is_known) as c on c.digest = s.digest
        where s.kind = getvariable('kind') and getvariable('source') <> 'walk'
    ) as r on r.piece_id = p.piece_id
    anti join temp.matched as m on m.stored_row = p.rowid
) as released
where play.rowid = released.stored_row;

insert into core.play by name
with fresh as (
    select
        i.*,
        local_time(i.played_at, i.written_offset_minutes, t.time_zone) as played_at_local
    from temp.incoming as i
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
    case when getvariable('source') <> 'walk' then piece_id end as piece_id
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
    last_load_id = case when c.is_late then play.last_load_id else c.load_id end
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

-- Lines that repeat a play from another line of the landing, which is a line in a known piece or else the first line
-- that was read. Two pieces whose lines contradict each other are linked, because their ledger entries are valid only
-- together.
insert into temp.repeated_line
with shown as (
    select
        r.*,
        case when m.is_shown then m.stored_piece_id else r.piece_id end as shown_by,
        coalesce(m.is_shown, false) as is_shown_by_known
    from temp.merged_repeat as r
    left join temp.matched as m on m.line_row = r.line_row
),

repeating as (
    select
        r.piece_id,
        s.shown_by,
        s.is_contradictory and not s.is_shown_by_known as is_mutual,
        s.is_shown_by_known or r.line_row <> s.line_row as is_repeat
    from temp.record as r
    inner join shown as s on s.zone_id = r.zone_id and s.item_id = r.item_id and s.played_at = r.played_at
    union all
    select
        m.piece_id,
        m.stored_piece_id as shown_by,
        false as is_mutual,
        true as is_repeat
    from temp.matched as m
    anti join temp.merged_repeat as r on r.line_row = m.line_row
    where m.is_shown
)

select
    piece_id,
    shown_by,
    count(*) as lines
from repeating
where is_repeat
group by piece_id, shown_by
union all
select distinct
    shown_by as piece_id,
    piece_id as shown_by,
    0 as lines
from repeating
where is_mutual and piece_id <> shown_by;

-- Removes pieces from the ledger if they were read (they are entered again later), if one of their plays was changed,
-- or if one of their plays now belongs to another piece. Also removes pieces linked to one of these.
insert into temp.forgotten_piece
select piece_id
from temp.piece
where not is_known
union
select stored_piece_id as piece_id
from temp.matched
where
    not is_shown
    and stored_piece_id is not null
    and (is_changed or (getvariable('source') <> 'walk' and stored_piece_id <> piece_id));

insert into temp.forgotten_piece
select distinct piece_id
from core.piece_link
where shown_by in (select piece_id from temp.forgotten_piece);

delete from core.piece
where piece_id in (select piece_id from temp.forgotten_piece);

delete from core.piece_link
where piece_id in (select piece_id from temp.forgotten_piece);

delete from core.piece_reject
where piece_id in (select piece_id from temp.forgotten_piece);

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
