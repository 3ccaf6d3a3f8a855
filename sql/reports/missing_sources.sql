-- One row per source that never returned a complete response: history and campaigns by kind and group,
-- devices by group. A kind of history loaded only from files is not missing.
--
-- For: plays, compliance, uptime, outages, devices, quality, silences
-- Reads: bridge_group_zone, chosen_group, current_group, dim_kind, fact_freshness, fact_snapshot, p
-- Columns:
--   missing    Missing (text): history, campaigns or devices.
--   kind       = dim_kind.kind
--   group_id   = dim_group.group_id
--   groups     Groups (count): Requested groups, whether or not they miss anything.

with expected_group as (
    select c.group_id
    from chosen_group as c
    inner join current_group as g on g.group_id = c.group_id
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
from p
cross join expected_source as w
left join complete_source as a
    on a.missing = w.missing
    and a.kind = coalesce(w.kind, '')
    and (a.group_id = w.group_id or a.group_id is null)
where
    a.missing is null
    and (p.kinds = '' or w.kind is null or position(',' || w.kind || ',' in p.kinds) > 0)
order by w.missing desc, w.kind, w.group_id
