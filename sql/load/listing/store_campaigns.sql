-- Merges campaign listings into their owners' history. The history contains the valid listings, and the periods in
-- which each record was listed. Listings may be loaded in any order.
-- Reads: core.calendar, core.campaign_listing, core.campaign_rule, core.dirty_campaign_day, core.listing_asset_span,
--   core.listing_run, core.listing_span, core.zone_day, temp.campaign, temp.campaign_asset, temp.listing
-- Leaves: core.campaign_listing, core.campaign_rule, core.dirty_campaign_day, core.listing_asset_span,
--   core.listing_run, core.listing_span, temp.changed_span, temp.near_run, temp.new_listing, temp.owner_listing,
--   temp.owner_span, temp.snapshot_record

insert into temp.snapshot_record
select
    place,
    'campaign' as subject,
    campaign_record(campaign_id, campaign_name, status, add_date, start_date, end_date, rrule, record_error) as record
from temp.campaign
union all
select
    place,
    'asset' as subject,
    link_record(campaign_id, asset_id, start_date, end_date) as record
from temp.campaign_asset;

insert into temp.new_listing
with neighbour as (
    select
        l.place,
        max(c.requested_at) filter (where c.requested_at < l.requested_at) as before_at,
        min(c.requested_at) filter (where c.requested_at > l.requested_at) as after_at
    from temp.listing as l
    inner join core.campaign_listing as c using (kind, owner_kind, owner_id)
    group by l.place
)

select
    l.place,
    l.kind,
    l.owner_kind,
    l.owner_id,
    l.requested_at,
    (select count(*) from temp.campaign as c where c.place = l.place) as campaigns,
    n.before_at,
    n.after_at
from temp.listing as l
left join neighbour as n on n.place = l.place
where l.source = 'campaigns';

-- Splits and merges the runs of records around each listing. Replaces an earlier listing with the same instant.
insert into temp.near_run
select
    n.place,
    r.subject,
    r.record,
    r.first_at,
    r.last_at
from core.listing_run as r
inner join temp.new_listing as n using (kind, owner_kind, owner_id)
where
    r.last_at >= coalesce(n.before_at, n.requested_at)
    and r.first_at <= coalesce(n.after_at, n.requested_at);

delete from core.listing_run
using temp.new_listing as n
where
    listing_run.kind = n.kind
    and listing_run.owner_kind = n.owner_kind
    and listing_run.owner_id = n.owner_id
    and listing_run.last_at >= coalesce(n.before_at, n.requested_at)
    and listing_run.first_at <= coalesce(n.after_at, n.requested_at);

insert into core.listing_run
with near as (
    select
        r.*,
        n.requested_at,
        n.before_at,
        n.after_at,
        s.place is not null as is_listed
    from temp.near_run as r
    inner join temp.new_listing as n on n.place = r.place
    left join temp.snapshot_record as s on s.place = r.place and s.subject = r.subject and s.record = r.record
),

run as (
    -- If a record is listed, its runs before and after the listing are merged.
    select
        s.place,
        s.subject,
        s.record,
        least(min(r.first_at), n.requested_at) as first_at,
        greatest(max(r.last_at), n.requested_at) as last_at
    from temp.snapshot_record as s
    inner join temp.new_listing as n on n.place = s.place
    left join temp.near_run as r on r.place = s.place and r.subject = s.subject and r.record = s.record
    group by s.place, s.subject, s.record, n.requested_at
    union all
    -- If a record is not listed, its run ends before the listing and begins again after it.
    select
        place,
        subject,
        record,
        first_at,
        least(last_at, before_at) as last_at
    from near
    where not is_listed and first_at < requested_at
    union all
    select
        place,
        subject,
        record,
        greatest(first_at, after_at) as first_at,
        last_at
    from near
    where not is_listed and last_at > requested_at
)

select
    n.kind,
    n.owner_kind,
    n.owner_id,
    r.subject,
    r.record,
    r.first_at,
    r.last_at
from run as r
inner join temp.new_listing as n on n.place = r.place;

-- If a listing is replaced, the period between it and the previous listing is affected.
insert into temp.changed_span
select
    c.kind,
    c.previous_at as from_at,
    c.requested_at as until_at
from core.campaign_listing as c
inner join temp.new_listing as n using (kind, owner_kind, owner_id, requested_at)
where c.is_valid and c.previous_at is not null;

delete from core.campaign_listing
using temp.new_listing as n
where
    campaign_listing.kind = n.kind
    and campaign_listing.owner_kind = n.owner_kind
    and campaign_listing.owner_id = n.owner_id
    and campaign_listing.requested_at = n.requested_at;

insert into core.campaign_listing
select
    kind,
    owner_kind,
    owner_id,
    requested_at,
    campaigns,
    true as is_valid,
    null as previous_at
from temp.new_listing;

-- An empty listing after one with campaigns is valid only if the next one is empty too.
insert into temp.owner_listing
with sequenced as (
    select
        n.place,
        c.requested_at,
        c.campaigns,
        coalesce(lag(c.campaigns) over owners, 0) as campaigns_before,
        coalesce(lead(c.campaigns) over owners, 1) as campaigns_after
    from core.campaign_listing as c
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    window owners as (partition by n.place order by c.requested_at)
)

select
    place,
    requested_at,
    row_number() over owners as number,
    lag(requested_at) over owners as previous_at,
    lead(requested_at) over owners as next_at
from sequenced
where campaigns > 0 or campaigns_before = 0 or campaigns_after = 0
window owners as (partition by place order by requested_at);

-- Merges runs that are separated only by invalid listings. Joins first and last listings in two steps, because DuckDB
-- would otherwise join each of an owner's listings with every first listing.
insert into temp.owner_span
with run_begin as materialized (
    select
        n.place,
        r.subject,
        r.record,
        r.last_at,
        f.number as first_number
    from core.listing_run as r
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    inner join temp.owner_listing as f on f.place = n.place and f.requested_at = r.first_at
),

run as (
    select
        r.place,
        r.subject,
        r.record,
        r.first_number,
        l.number as last_number
    from run_begin as r
    inner join temp.owner_listing as l on l.place = r.place and l.requested_at = r.last_at
),

begun as (
    select
        *,
        first_number is distinct from lag(last_number) over each_record + 1 as is_begin
    from run
    window each_record as (partition by place, subject, record order by first_number)
),

island as (
    select
        *,
        count(case when is_begin then 1 end) over (
            partition by place, subject, record order by first_number
        ) as island
    from begun
),

span as (
    select
        place,
        subject,
        record,
        min(first_number) as first_number,
        max(last_number) as last_number
    from island
    group by place, subject, record, island
),

span_begin as materialized (
    select
        s.*,
        f.requested_at as seen_from_at
    from span as s
    inner join temp.owner_listing as f on f.place = s.place and f.number = s.first_number
)

select
    s.place,
    s.subject,
    s.record,
    case when s.first_number = 1 then timestamp '1970-01-01' else s.seen_from_at end as from_at,
    l.next_at as until_at,
    s.seen_from_at,
    l.requested_at as last_seen_at
from span_begin as s
inner join temp.owner_listing as l on l.place = s.place and l.number = s.last_number;

-- Periods in which the owner's records or valid listings changed.
insert into temp.changed_span
with before as (
    select
        n.place,
        'campaign' as subject,
        campaign_record(
            s.campaign_id, s.campaign_name, s.status, s.add_date, s.start_date, s.end_date, s.rrule, s.record_error
        ) as record,
        s.from_at,
        s.until_at
    from core.listing_span as s
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    union all
    select
        n.place,
        'asset' as subject,
        link_record(s.campaign_id, s.asset_id, s.start_date, s.end_date) as record,
        s.from_at,
        s.until_at
    from core.listing_asset_span as s
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
),

-- If only the end of a span changed, the period between the two ends is affected.
changed as (
    select
        place,
        case when b.subject is null or n.subject is null then from_at else least(b.until_at, n.until_at) end as from_at,
        case
            when b.subject is null then n.until_at
            when n.subject is null then b.until_at
            when b.until_at is not null and n.until_at is not null then greatest(b.until_at, n.until_at)
        end as until_at
    from before as b
    full join temp.owner_span as n using (place, subject, record, from_at)
    where b.subject is null or n.subject is null or b.until_at is distinct from n.until_at
),

-- Predecessor of each valid listing before this load.
former as (
    select
        n.place,
        c.requested_at,
        c.previous_at
    from core.campaign_listing as c
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    where c.is_valid and c.requested_at <> n.requested_at
),

-- Valid listings whose predecessor changed. For the days in between, this changes the next listing.
moved as (
    (
        select place, requested_at, previous_at from temp.owner_listing
        except
        select place, requested_at, previous_at from former
    )
    union all
    (
        select place, requested_at, previous_at from former
        except
        select place, requested_at, previous_at from temp.owner_listing
    )
)

select
    n.kind,
    c.from_at,
    c.until_at
from (
    select place, from_at, until_at from changed
    union all
    select place, previous_at as from_at, requested_at as until_at from moved where previous_at is not null
    union all
    -- If the owner's first valid listing changed, the days before it are affected.
    select
        place,
        timestamp '1970-01-01' as from_at,
        min(requested_at) as until_at
    from moved
    where previous_at is null
    group by place
    having count(*) > 1
) as c
inner join temp.new_listing as n on n.place = c.place;

-- Replaces the spans of these owners. New rules get ids here; their dates are computed later.
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
inner join temp.new_listing as n on n.place = t.place;

-- Days whose compliance may change. Local dates differ from UTC dates by at most one day.
insert into core.dirty_campaign_day
with range as (
    select distinct
        kind,
        cast(from_at as date) - 1 as first_date,
        cast(until_at as date) + 1 as last_date
    from temp.changed_span
),

known as (
    select
        min(date) as first_date,
        max(date) as last_date
    from core.zone_day
)

select distinct
    r.kind,
    c.date
from core.calendar as c
inner join known as k on c.date between k.first_date and k.last_date
inner join range as r on c.date >= r.first_date and (r.last_date is null or c.date <= r.last_date)
except
select *
from core.dirty_campaign_day;
