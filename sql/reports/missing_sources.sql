-- One row per source that never returned a complete response: history and campaigns by kind and group,
-- devices by group. A kind of history loaded only from files is not missing.

with expected_group as (
    select group_id
    from ({{current_group}}) as g
    where group_id in ({{groups}})
),

expected_source as (
    select
        'history' as missing,
        k.kind,
        g.group_id
    from expected_group as g
    cross join dim_kind as k
    union all
    select
        'campaigns' as missing,
        k.kind,
        g.group_id
    from expected_group as g
    cross join dim_kind as k
    where k.kind <> 'music'
    union all
    select
        'devices' as missing,
        cast(null as varchar) as kind,
        group_id
    from expected_group
),

given as (
    select
        'history' as missing,
        kind,
        group_id
    from fact_freshness
    union all
    select
        source as missing,
        kind,
        group_id
    from fact_snapshot
    where source in ('campaigns', 'devices') and group_id is not null
    union all
    select
        s.source as missing,
        s.kind,
        b.group_id
    from fact_snapshot as s
    inner join bridge_group_zone as b on b.zone_id = s.zone_id
    where s.source = 'campaigns'
),

complete_source as (
    select distinct
        missing,
        coalesce(kind, '') as kind,
        group_id
    from given
)

select
    w.missing,
    w.kind,
    w.group_id,
    (select count(*) from expected_group) as groups
from expected_source as w
left join complete_source as a
    on a.missing = w.missing
    and a.kind = coalesce(w.kind, '')
    and (a.group_id = w.group_id or a.group_id is null)
where
    a.missing is null
    and (w.kind is null or w.kind in ({{kinds}}))
order by w.missing desc, w.kind, w.group_id
