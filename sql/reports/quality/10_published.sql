-- The published version: its name, build time, and the instant up to which all history is complete.

with info as (
    select
        version,
        software_version,
        substr(cast(built_at as varchar), 1, 10) || 'T' || substr(cast(built_at as varchar), 12, 8) || 'Z' as built,
        substr(cast(data_as_of as varchar), 1, 10) || 'T' || substr(cast(data_as_of as varchar), 12, 8) || 'Z' as as_of
    from mart_info
),

fact as (
    select
        1 as position,
        'version' as subject,
        version as value,
        'built ' || built || ' by venue-analytics ' || software_version as note
    from info
    union all
    select
        2 as position,
        'data_as_of' as subject,
        coalesce(as_of, 'unknown') as value,
        case
            when as_of is null then 'nothing has been loaded yet'
            else 'oldest of the latest complete requests of each group and kind that has one'
        end as note
    from info
)

select
    'published' as section,
    fact.subject,
    fact.value,
    fact.note
from fact
order by fact.position
