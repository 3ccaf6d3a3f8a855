-- The landings, into the ledger of loads. The parameter is how many plays an export lacks.
-- Reads: $group_id, $kind, $source, temp.landing, temp.landing_count
-- Makes: core.load
insert into core.load by name
select
    l.load_id,
    l.landing_id,
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('group_id') as group_id,
    l.zone_id,
    l.requested_at,
    l.loaded_at,
    l.is_complete,
    l.bytes,
    c.lines,
    c.new_plays,
    c.changed,
    c.unchanged,
    c.duplicate,
    c.rejected,
    c.blank,
    c.zero_second,
    cast(? as bigint) as vanished
from temp.landing as l
inner join temp.landing_count as c on c.load_id = l.load_id
