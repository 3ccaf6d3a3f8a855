-- Names and locations that were seen widen the spans of known ones, or begin new spans.
-- Reads: temp.seen_name, temp.seen_zone_location
-- Makes: core.name_span, core.zone_location_span
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
