-- Every day on which a rule specifies times of day, if the slot length changed since the last build.
--
-- Reads: core.build_setting, core.built_setting, core.campaign_date, core.listing_span, core.zone_day
with changed as (
    select n.value
    from core.build_setting as n
    left join core.built_setting as b on b.name = n.name
    where n.name = 'slot_minutes' and b.value is distinct from n.value
)

select distinct
    s.kind,
    d.date
from changed as c
cross join core.campaign_date as d
inner join core.listing_span as s on s.rule_id = d.rule_id
inner join (select distinct date from core.zone_day) as z on z.date = d.date
where d.time_set is not null
