-- Replaces the kinds that zones play.
-- Reads: temp.reference_row
-- Leaves: core.zone_kind
delete from core.zone_kind;

insert into core.zone_kind
select
    id as zone_id,
    value as kind,
    valid_from,
    valid_to
from temp.reference_row;
