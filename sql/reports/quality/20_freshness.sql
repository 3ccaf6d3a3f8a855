-- One row per group and kind: the request time and age of the latest complete export, or of walks of all its zones.

with source_state as (
    select
        g.group_id,
        'group ' || cast(g.group_id as varchar)
        || case when g.group_name <> 'Group ' || cast(g.group_id as varchar) then ' (' || g.group_name || ')' else '' end
            as owner,
        k.kind,
        f.source,
        f.requested_at
    from ({{current_group}}) as g
    cross join dim_kind as k
    left join fact_freshness as f on f.group_id = g.group_id and f.kind = k.kind
    union all
    select
        group_id,
        'files' as owner,
        kind,
        source,
        requested_at
    from fact_freshness
    where group_id is null
),

aged as (
    select
        f.group_id,
        f.owner,
        f.kind,
        f.source,
        substr(cast(f.requested_at as varchar), 1, 10) || 'T' || substr(cast(f.requested_at as varchar), 12, 8) || 'Z'
            as requested,
        date_diff('second', cast(date_trunc('second', f.requested_at) as timestamp(6)), {{now}}) as age_seconds
    from source_state as f
    where (f.group_id is null or {{of_groups}}) and f.kind in ({{kinds}})
)

select
    'freshness' as section,
    owner || ', ' || kind as subject,
    coalesce(requested, 'never') as value,
    case
        when age_seconds is null then 'no complete response yet'
        when age_seconds < 0 then 'requested after "now"'
        when age_seconds < 172800 then cast(cast(floor(cast(age_seconds as double) / 3600) as bigint) as varchar) || ' hours old'
        else cast(cast(floor(cast(age_seconds as double) / 86400) as bigint) as varchar) || ' days old'
    end
    || case when source = 'walk' then ', of the zone walked longest ago' else '' end as note
from aged
order by group_id, kind
