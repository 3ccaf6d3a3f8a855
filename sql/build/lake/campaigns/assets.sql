-- Days affected by changed asset spans. If only the end of a span moved, these are the days between the two ends. The
-- range starts at the listing before a span's first listing, because the days in between use the first listing as their
-- next one. It is one day wider on each side, because local dates may differ from UTC dates by one day.
--
-- Reads: core.calendar, core.campaign_listing, core.former_listing_asset_span, core.listing_asset_span, core.zone_day
with changed as (
    select
        coalesce(n.kind, b.kind) as kind,
        coalesce(n.owner_kind, b.owner_kind) as owner_kind,
        coalesce(n.owner_id, b.owner_id) as owner_id,
        n.kind is not null and b.kind is not null as is_of_both,
        coalesce(n.from_at, b.from_at) as from_at,
        coalesce(n.until_at, timestamp '9999-12-30 00:00:00') as until_at,
        coalesce(b.until_at, timestamp '9999-12-30 00:00:00') as former_until_at,
        n.kind is null as is_former
    from core.listing_asset_span as n
    full join core.former_listing_asset_span as b
        on b.kind = n.kind
        and b.owner_kind = n.owner_kind
        and b.owner_id = n.owner_id
        and b.campaign_id = n.campaign_id
        and b.asset_id = n.asset_id
        and coalesce(b.start_date, date '1000-01-01') = coalesce(n.start_date, date '1000-01-01')
        and coalesce(b.end_date, date '1000-01-01') = coalesce(n.end_date, date '1000-01-01')
        and b.from_at = n.from_at
    where n.kind is null or b.kind is null or n.until_at is distinct from b.until_at
),

span as (
    select
        kind,
        owner_kind,
        owner_id,
        case
            when not is_of_both then from_at
            when until_at < former_until_at then until_at
            else former_until_at
        end as from_at,
        case
            when is_former or (is_of_both and former_until_at > until_at) then former_until_at
            else until_at
        end as until_at
    from changed
),

range as (
    select distinct
        s.kind,
        cast(cast(coalesce(l.previous_at, s.from_at) as date) - interval '1' day as date) as first_date,
        cast(cast(s.until_at as date) + interval '1' day as date) as last_date
    from span as s
    left join core.campaign_listing as l
        on l.kind = s.kind
        and l.owner_kind = s.owner_kind
        and l.owner_id = s.owner_id
        and l.is_valid
        and l.requested_at = s.from_at
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
inner join range as r on c.date between r.first_date and r.last_date
