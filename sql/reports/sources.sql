-- One row per type of source: the number of sources, the number that never returned a complete response, and the oldest
-- of the others' newest responses.
--
-- For: quality
-- Reads: dim_group, dim_kind, fact_freshness, fact_snapshot
-- Columns:
--   source          Source (text): export, walk or file: source of history; devices, campaigns, assets, notices or
--                   components: type of listing.
--   sources         Sources (count): Groups and kinds of history; groups, zones and kinds of listings.
--   unanswered      Unanswered (count): Sources that never returned a complete response.
--   requested_at    = fact_load.requested_at: Oldest of the newest complete responses.

with history as (
    select
        coalesce(f.source, 'export') as source,
        f.requested_at
    from dim_group as g
    cross join dim_kind as k
    left join fact_freshness as f on f.group_id = g.group_id and f.kind = k.kind
    union all
    select
        source,
        requested_at
    from fact_freshness
    where group_id is null
),

listed as (
    select
        source,
        max(requested_at) as requested_at
    from fact_snapshot
    group by source, kind, group_id, zone_id
),

-- Types of listings that were never returned for any group.
unlisted as (
    select
        w.source,
        cast(null as timestamp(6)) as requested_at
    from (
        select 'devices' as source
        union all
        select 'campaigns' as source
    ) as w
    left join (select distinct source from listed) as l on l.source = w.source
    where l.source is null and exists (select 1 from dim_group)
),

source_state as (
    select
        source,
        requested_at,
        1 as place
    from history
    union all
    select
        source,
        requested_at,
        2 as place
    from listed
    union all
    select
        source,
        requested_at,
        2 as place
    from unlisted
)

select
    source,
    count(*) as sources,
    count(*) - count(requested_at) as unanswered,
    min(requested_at) as requested_at
from source_state
group by place, source
order by place, source
