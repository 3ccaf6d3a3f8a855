-- Stores the findings of any kind of load, such as names and locations. A statement does nothing if its temporary table
-- is empty.
-- Reads: core.dirty_day, temp.changed_day, temp.seen_name, temp.seen_zone_location, temp.sighting, temp.unknown_field
-- Leaves: core.dirty_day, core.name_span, core.unknown_field, core.zone_group_sighting, core.zone_location_span

-- Names and locations. If a known one was seen earlier or later than before, its period is extended.
merge into core.name_span as n
using temp.seen_name as s using (subject, kind, id, name)
when matched and (s.first_at < n.first_at or s.last_at > n.last_at)
    then update set first_at = least(n.first_at, s.first_at), last_at = greatest(n.last_at, s.last_at)
when not matched
    then insert;

merge into core.zone_location_span as z
using temp.seen_zone_location as s using (zone_id, location_id)
when matched and (s.first_at < z.first_at or s.last_at > z.last_at)
    then update set first_at = least(z.first_at, s.first_at), last_at = greatest(z.last_at, s.last_at)
when not matched
    then insert;

-- Group memberships of zones.
merge into core.zone_group_sighting as g
using temp.sighting as s using (zone_id, group_id, source, kind)
when matched
    then update set last_seen_at = greatest(g.last_seen_at, s.seen_at)
when not matched
    then insert;

-- Marks dates whose plays changed, so that the next build rebuilds them.
insert into core.dirty_day
select *
from temp.changed_day
where date is not null
except
select *
from core.dirty_day;

-- Fields that the service does not document.
merge into core.unknown_field as k
using (
    select
        source,
        kind,
        field,
        count(*) as answers,
        cast(sum(records) as bigint) as records,
        min(seen_at) as first_seen_at,
        max(seen_at) as last_seen_at
    from temp.unknown_field
    group by source, kind, field
) as u using (source, kind, field)
when matched
    then update set
        answers = k.answers + u.answers,
        records = k.records + u.records,
        first_seen_at = least(k.first_seen_at, u.first_seen_at),
        last_seen_at = greatest(k.last_seen_at, u.last_seen_at)
when not matched
    then insert;
