-- Finds the zones in an export. Returns the number of plays in core that are missing from a complete export, although
-- they are later than its first record for the zone.
-- Reads: $requested_at, temp.landing, temp.line_set, temp.matched, temp.place, temp.stored_play
-- Leaves: temp.shown_zone

-- An export contains the plays whose lines are known and the lines that were read. Plays that began after its request
-- are not missing, because they may come from a walk or from another group's export that was loaded first.
insert into temp.shown_zone
with stored as (
    select
        p.zone_id,
        min(p.played_at) filter (where p.is_known) as first_at,
        max(p.played_at) filter (
            where
                not p.is_known
                and m.stored_row is null
                and p.duration_secs > 0
                and p.played_at <= getvariable('requested_at')
        ) as last_missing_at
    from temp.stored_play as p
    left join temp.matched as m on m.stored_row = p.stored_row
    group by p.zone_id
),

fresh as (
    select
        p.zone_id,
        min(s.first_at) as first_at
    from temp.place as p
    inner join temp.line_set as s on s.is_place and s.hash = p.place_hash
    group by p.zone_id
)

select
    coalesce(f.zone_id, s.zone_id) as zone_id,
    least(f.first_at, s.first_at) as first_at,
    s.last_missing_at
from fresh as f
full join stored as s on s.zone_id = f.zone_id
where f.zone_id is not null or s.first_at is not null;

with missed_zone as (
    select *
    from temp.shown_zone
    where last_missing_at > first_at and (select bool_and(is_complete) from temp.landing)
)

select count(*) as vanished
from temp.stored_play as p
inner join missed_zone as z on z.zone_id = p.zone_id and p.played_at > z.first_at and p.played_at <= z.last_missing_at
anti join temp.matched as m on m.stored_row = p.stored_row
where p.duration_secs > 0 and not p.is_known;
