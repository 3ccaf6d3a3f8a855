-- One row per type of source: the number of sources, the number that never returned a complete response, and the oldest
-- of the others' latest responses. A group's listing is a listing of the group or of any of its zones, because zones
-- are listed in turn.

with history as (
    select
        coalesce(f.source, 'export') as source,
        f.requested_at
    from ({{current_group}}) as g
    cross join dim_kind as k
    left join fact_freshness as f on f.group_id = g.group_id and f.kind = k.kind
    union all
    select
        source,
        requested_at
    from fact_freshness
    where group_id is null
),

listing as (
    select
        source,
        kind,
        group_id,
        requested_at
    from fact_snapshot
    where group_id is not null
    union all
    select
        s.source,
        s.kind,
        b.group_id,
        s.requested_at
    from fact_snapshot as s
    inner join bridge_group_zone as b on b.zone_id = s.zone_id
),

newest_listing as (
    select
        source,
        coalesce(kind, '') as kind,
        group_id,
        max(requested_at) as requested_at
    from listing
    group by source, coalesce(kind, ''), group_id
),

expected_listing as (
    select
        'devices' as source,
        '' as kind,
        group_id
    from ({{current_group}}) as g
    union all
    select
        'campaigns' as source,
        k.kind,
        g.group_id
    from ({{current_group}}) as g
    cross join dim_kind as k
    where k.kind <> 'music'
    union all
    select
        n.source,
        n.kind,
        n.group_id
    from newest_listing as n
    inner join ({{current_group}}) as g on g.group_id = n.group_id
    where n.source = 'assets'
),

source_state as (
    select
        source,
        requested_at,
        1 as place
    from history
    union all
    select
        e.source,
        n.requested_at,
        2 as place
    from expected_listing as e
    left join newest_listing as n on n.source = e.source and n.kind = e.kind and n.group_id = e.group_id
    union all
    select
        source,
        max(requested_at) as requested_at,
        2 as place
    from fact_snapshot
    where source in ('notices', 'components')
    group by source
)

select
    source,
    count(*) as sources,
    count(*) - count(requested_at) as unanswered,
    min(requested_at) as requested_at
from source_state
group by place, source
order by place, source
