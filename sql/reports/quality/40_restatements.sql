-- Settled days of the period whose published figures a later version changed, newest version first.
--
-- Reads: fact_restatement, p
-- Columns: as quality/10_published

select
    'restatements' as section,
    r.kind || ' on ' || cast(r.date as varchar) as subject,
    cast(r.plays_after - r.plays_before as varchar) as value,
    r.version || ': ' || cast(r.plays_before as varchar) || ' plays became ' || cast(r.plays_after as varchar)
    || case
        when r.states_changed > 0 then ', ' || cast(r.states_changed as varchar) || ' campaign states changed'
        else ''
    end as note
from p
inner join fact_restatement as r on r.date between p.date_from and p.date_to
where p.kinds = '' or position(',' || r.kind || ',' in p.kinds) > 0
order by r.version desc, r.date, r.kind
