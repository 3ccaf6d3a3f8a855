-- The spans of the owners of new listings as they are now, in place of those before, and which of their listings are
-- valid. Rules that are new get numbers; their dates follow.
-- Reads: core.campaign_listing, core.campaign_rule, temp.new_listing, temp.owner_listing, temp.owner_span
-- Makes: core.campaign_listing, core.campaign_rule, core.listing_asset_span, core.listing_span
update core.campaign_listing
set
    is_valid = l.is_valid,
    previous_at = l.previous_at
from (
    select
        c.rowid as stored_row,
        v.place is not null as is_valid,
        v.previous_at
    from core.campaign_listing as c
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    left join temp.owner_listing as v on v.place = n.place and v.requested_at = c.requested_at
) as l
where
    campaign_listing.rowid = l.stored_row
    and (campaign_listing.is_valid <> l.is_valid or campaign_listing.previous_at is distinct from l.previous_at);

insert into core.campaign_rule by name
with listed as (
    select distinct
        json_extract_string(record, 'rrule') as rrule,
        cast(json_extract_string(record, 'start_date') as date) as start_date,
        cast(json_extract_string(record, 'add_date') as date) as add_date
    from temp.owner_span
    where subject = 'campaign' and json_extract_string(record, 'rrule') is not null
)

select
    nextval('core.rule_id') as rule_id,
    l.rrule,
    l.start_date,
    l.add_date,
    null as rule_error,
    false as is_every_day,
    date '9999-12-31' as expanded_from,
    date '1000-01-01' as expanded_to
from listed as l
anti join core.campaign_rule as r
    on r.rrule = l.rrule
    and r.start_date is not distinct from l.start_date
    and r.add_date is not distinct from l.add_date;

delete from core.listing_span
using temp.new_listing as n
where
    listing_span.kind = n.kind and listing_span.owner_kind = n.owner_kind and listing_span.owner_id = n.owner_id;

insert into core.listing_span
with typed as (
    select
        *,
        json_transform(
            record,
            '{"campaign_id": "bigint", "campaign_name": "varchar", "status": "varchar", "add_date": "date",
              "start_date": "date", "end_date": "date", "rrule": "varchar", "record_error": "varchar"}'
        ) as r
    from temp.owner_span
    where subject = 'campaign'
)

select
    n.kind,
    n.owner_kind,
    n.owner_id,
    r.campaign_id,
    u.rule_id,
    r.campaign_name,
    r.status,
    coalesce(lower(trim(r.status)) = 'enabled', false) as is_enabled,
    r.add_date,
    r.start_date,
    r.end_date,
    r.rrule,
    r.record_error,
    t.from_at,
    t.until_at,
    t.seen_from_at,
    t.last_seen_at
from typed as t
inner join temp.new_listing as n on n.place = t.place
left join core.campaign_rule as u
    on u.rrule = r.rrule
    and u.start_date is not distinct from r.start_date
    and u.add_date is not distinct from r.add_date;

delete from core.listing_asset_span
using temp.new_listing as n
where
    listing_asset_span.kind = n.kind
    and listing_asset_span.owner_kind = n.owner_kind
    and listing_asset_span.owner_id = n.owner_id;

insert into core.listing_asset_span
with typed as (
    select
        *,
        json_transform(
            record, '{"campaign_id": "bigint", "asset_id": "bigint", "start_date": "date", "end_date": "date"}'
        ) as r
    from temp.owner_span
    where subject = 'asset'
)

select
    n.kind,
    n.owner_kind,
    n.owner_id,
    r.campaign_id,
    r.asset_id,
    r.start_date,
    r.end_date,
    t.from_at,
    t.until_at,
    t.seen_from_at,
    t.last_seen_at
from typed as t
inner join temp.new_listing as n on n.place = t.place
