-- Ledger rows of landings, in load order. The parameter is a JSON array of landing ids.
-- Reads: core.load
-- Leaves: nothing
select
    load_id as "loadId",
    landing_id as "landingId",
    source,
    kind,
    group_id as "groupId",
    zone_id as "zoneId",
    bytes,
    lines,
    new_plays as "newPlays",
    changed,
    unchanged,
    duplicate,
    rejected,
    blank,
    zero_second as "zeroSecond",
    vanished
from core.load
where landing_id in (select unnest(from_json(cast(? as varchar), '["varchar"]')))
order by load_id
