-- Days whose next listing changed. If a valid listing was added, was removed or got another predecessor, these are the
-- days between its predecessor and the listing.
--
-- Reads: core.calendar, core.campaign_listing, core.former_campaign_listing, core.zone_day
with now as (
    select
        kind,
        owner_kind,
        owner_id,
        requested_at,
        coalesce(previous_at, timestamp '1970-01-01 00:00:00') as previous_at
    from core.campaign_listing
    where is_valid
),

former as (
    select
        kind,
        owner_kind,
        owner_id,
        requested_at,
        coalesce(previous_at, timestamp '1970-01-01 00:00:00') as previous_at
    from core.former_campaign_listing
    where is_valid
),

moved as (
    select
        coalesce(n.kind, b.kind) as kind,
        coalesce(n.previous_at, b.previous_at) as from_at,
        coalesce(n.requested_at, b.requested_at) as until_at
    from now as n
    full join former as b
        on b.kind = n.kind
        and b.owner_kind = n.owner_kind
        and b.owner_id = n.owner_id
        and b.requested_at = n.requested_at
        and b.previous_at = n.previous_at
    where n.kind is null or b.kind is null
),

range as (
    select distinct
        kind,
        cast(cast(from_at as date) - interval '1' day as date) as first_date,
        cast(cast(until_at as date) + interval '1' day as date) as last_date
    from moved
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
