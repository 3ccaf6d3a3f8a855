-- Fields that the service sends but does not document, and that nothing reads yet.

select
    'unknown_fields' as section,
    coalesce(u.kind || ' ', '') || u.source || ': ' || u.field as subject,
    cast(u.records as varchar) as value,
    'records with it, in ' || cast(u.answers as varchar) || case when u.answers = 1 then ' response' else ' responses' end
    || ', the last of ' || substr(cast(u.last_seen_at as varchar), 1, 10) || 'T'
    || substr(cast(u.last_seen_at as varchar), 12, 8) || 'Z' as note
from fact_unknown_field as u
where u.kind is null or u.kind in ({{kinds}})
order by u.source, coalesce(u.kind, ''), u.records desc, u.field
