-- Listings that say what the ones before said: what was said was last seen then.
-- Reads: temp.repeated_listing
-- Makes: core.campaign_listing, core.listing_asset_span, core.listing_run, core.listing_span, temp.changed_span
update core.listing_run
set last_at = l.requested_at
from temp.repeated_listing as l
where
    listing_run.kind = l.kind
    and listing_run.owner_kind = l.owner_kind
    and listing_run.owner_id = l.owner_id
    and listing_run.last_at = l.before_at;

update core.listing_span
set last_seen_at = l.requested_at
from temp.repeated_listing as l
where
    listing_span.kind = l.kind
    and listing_span.owner_kind = l.owner_kind
    and listing_span.owner_id = l.owner_id
    and listing_span.last_seen_at = l.before_at;

update core.listing_asset_span
set last_seen_at = l.requested_at
from temp.repeated_listing as l
where
    listing_asset_span.kind = l.kind
    and listing_asset_span.owner_kind = l.owner_kind
    and listing_asset_span.owner_id = l.owner_id
    and listing_asset_span.last_seen_at = l.before_at;

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
