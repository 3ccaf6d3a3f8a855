-- Listings that say what the ones before said: what was said was last seen then.
-- Reads: temp.repeated_listing
-- Makes: core.campaign_listing, core.listing_asset_span, core.listing_run, core.listing_span, temp.changed_span
merge into core.listing_run as s
using temp.repeated_listing as l
on s.kind = l.kind and s.owner_kind = l.owner_kind and s.owner_id = l.owner_id and s.last_at = l.before_at
when matched
    then update set last_at = l.requested_at;

merge into core.listing_span as s
using temp.repeated_listing as l
on s.kind = l.kind and s.owner_kind = l.owner_kind and s.owner_id = l.owner_id and s.last_seen_at = l.before_at
when matched
    then update set last_seen_at = l.requested_at;

merge into core.listing_asset_span as s
using temp.repeated_listing as l
on s.kind = l.kind and s.owner_kind = l.owner_kind and s.owner_id = l.owner_id and s.last_seen_at = l.before_at
when matched
    then update set last_seen_at = l.requested_at;

insert into core.campaign_listing
select
    kind,
    owner_kind,
    owner_id,
    requested_at,
    campaigns,
    true as is_valid,
    before_at as previous_at
from temp.repeated_listing;

-- The days since have another listing than before as the first one after them.
insert into temp.changed_span
select
    kind,
    before_at as from_at,
    requested_at as until_at
from temp.repeated_listing
