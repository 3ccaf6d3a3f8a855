-- One row per period in which an asset was linked to a campaign. If several machines listed an owner, a period is a
-- maximal run of their combined valid listings with the same link.
--
-- Reads: core.campaign_listing, lake.campaign_listing, lake.listing_asset_span

with shared_listing as (
    select
        l.kind,
        l.owner_kind,
        l.owner_id,
        l.requested_at,
        min(l.machine) as machine
    from lake.campaign_listing as l
    inner join (
        select
            kind,
            owner_kind,
            owner_id
        from lake.campaign_listing
        group by kind, owner_kind, owner_id
        having count(distinct machine) > 1
    ) as o on o.kind = l.kind and o.owner_kind = l.owner_kind and o.owner_id = l.owner_id
    group by l.kind, l.owner_kind, l.owner_id, l.requested_at
),

shared_owner as (
    select distinct
        kind,
        owner_kind,
        owner_id
    from shared_listing
),

valid as (
    select
        c.kind,
        c.owner_kind,
        c.owner_id,
        c.requested_at,
        c.campaigns,
        l.machine,
        row_number() over (partition by c.kind, c.owner_kind, c.owner_id order by c.requested_at) as number,
        lead(c.requested_at) over (partition by c.kind, c.owner_kind, c.owner_id order by c.requested_at) as next_at
    from core.campaign_listing as c
    inner join shared_listing as l
        on l.kind = c.kind
        and l.owner_kind = c.owner_kind
        and l.owner_id = c.owner_id
        and l.requested_at = c.requested_at
    where c.is_valid
),

-- Excludes empty listings, because a machine's span also covers its own invalid ones.
listed_asset as (
    select
        v.kind,
        v.owner_kind,
        v.owner_id,
        v.requested_at,
        v.number,
        s.campaign_id,
        s.asset_id,
        s.start_date,
        s.end_date
    from valid as v
    inner join lake.listing_asset_span as s
        on s.kind = v.kind
        and s.owner_kind = v.owner_kind
        and s.owner_id = v.owner_id
        and s.machine = v.machine
        and s.seen_from_at <= v.requested_at
        and s.last_seen_at >= v.requested_at
    where v.campaigns > 0
),

numbered as (
    select
        listed_asset.*,
        number - row_number() over (
            partition by
                kind, owner_kind, owner_id, campaign_id, asset_id, start_date, end_date
            order by number
        ) as run_number
    from listed_asset
),

run as (
    select
        kind,
        owner_kind,
        owner_id,
        campaign_id,
        asset_id,
        start_date,
        end_date,
        min(number) as first_number,
        max(number) as last_number,
        min(requested_at) as seen_from_at,
        max(requested_at) as last_seen_at
    from numbered
    group by
        kind, owner_kind, owner_id, campaign_id, asset_id, start_date, end_date, run_number
),

span as (
    select
        s.kind,
        s.owner_kind,
        s.owner_id,
        s.campaign_id,
        s.asset_id,
        s.start_date,
        s.end_date,
        s.from_at,
        s.until_at,
        s.seen_from_at,
        s.last_seen_at
    from lake.listing_asset_span as s
    left join shared_owner as o on o.kind = s.kind and o.owner_kind = s.owner_kind and o.owner_id = s.owner_id
    where o.kind is null
    union all
    select
        r.kind,
        r.owner_kind,
        r.owner_id,
        r.campaign_id,
        r.asset_id,
        r.start_date,
        r.end_date,
        case when r.first_number = 1 then timestamp '1970-01-01 00:00:00' else r.seen_from_at end as from_at,
        v.next_at as until_at,
        r.seen_from_at,
        r.last_seen_at
    from run as r
    inner join valid as v
        on v.kind = r.kind
        and v.owner_kind = r.owner_kind
        and v.owner_id = r.owner_id
        and v.number = r.last_number
)

select
    kind,
    owner_kind,
    owner_id,
    campaign_id,
    asset_id,
    start_date,
    end_date,
    from_at,
    until_at,
    seen_from_at,
    last_seen_at
from span
