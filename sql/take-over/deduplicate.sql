-- Stores what the lake has in addition to the landings' lines: names, locations and group memberships with the instants
-- at which they were seen, and the counts in the ledger, because the lines that were loaded are fewer than the machines
-- received. Running it again changes nothing. ../load/shared/store_findings.sql runs next. To be deleted in 0.4.
insert into temp.seen_name
select
    subject,
    kind,
    id,
    name,
    min(first_at) as first_at,
    max(last_at) as last_at
from temp.lake_name_span
group by subject, kind, id, name;

insert into temp.seen_zone_location
select
    zone_id,
    location_id,
    min(first_at) as first_at,
    max(last_at) as last_at
from temp.lake_zone_location_span
group by zone_id, location_id;

insert into temp.sighting
select
    zone_id,
    group_id,
    source,
    kind,
    max(last_seen_at) as seen_at
from temp.lake_zone_group_sighting
group by zone_id, group_id, source, kind;

-- Until this has run, the load time of a load that was taken over differs from that in the lake.
insert into core.reject
select
    c.load_id,
    r.line_number,
    r.reason,
    r.line
from core.load as c
inner join temp.lake_landing as l on l.landing_id = c.landing_id and l.loaded_at <> c.loaded_at
inner join temp.lake_reject as r on r.load_id = l.load_id;

update core.load
set
    loaded_at = l.loaded_at,
    bytes = l.bytes,
    lines = l.lines,
    new_plays = l.new_plays,
    changed = l.changed,
    unchanged = l.unchanged,
    duplicate = l.duplicate,
    rejected = l.rejected,
    blank = l.blank,
    zero_second = l.zero_second,
    vanished = l.vanished
from temp.lake_landing as l
where load.landing_id = l.landing_id and load.loaded_at <> l.loaded_at;

update core.snapshot
set
    loaded_at = s.loaded_at,
    records = s.records,
    rejected = s.rejected
from temp.lake_listing as s
where snapshot.landing_id = s.landing_id and snapshot.loaded_at <> s.loaded_at;

-- Counts that were taken over before are not added again.
merge into core.unknown_field as k
using (
    select
        source,
        kind,
        field,
        cast(sum(answers) as bigint) as answers,
        cast(sum(records) as bigint) as records,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at
    from temp.lake_unknown_field
    group by source, kind, field
) as u using (source, kind, field)
when matched
    then update set
        answers = greatest(k.answers, u.answers),
        records = greatest(k.records, u.records),
        first_seen_at = least(k.first_seen_at, u.first_seen_at),
        last_seen_at = greatest(k.last_seen_at, u.last_seen_at)
when not matched
    then insert;
