-- Settled days of the period whose published figures a later version changed, newest version first.

select
    'restatements' as section,
    r.kind || ' on ' || cast(r.date as varchar) as subject,
    cast(r.plays_after - r.plays_before as varchar) as value,
    r.version || ': ' || cast(r.plays_before as varchar) || ' plays became ' || cast(r.plays_after as varchar)
    || case
        when r.states_changed > 0 then ', ' || cast(r.states_changed as varchar) || ' campaign states changed'
        else ''
    end as note
from fact_restatement as r
where r.date between {{from}} and {{to}} and r.kind in ({{kinds}})
order by r.version desc, r.date, r.kind
