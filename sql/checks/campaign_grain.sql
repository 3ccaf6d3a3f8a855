-- A campaign has one state on a day in a zone.
-- Severity: error

select
    f.campaign_key,
    f.zone_id,
    f.date,
    count(*) as rows_found
from mart.fact_campaign_zone_day as f
inner join core.checked_day as d on d.date = f.date
group by f.campaign_key, f.zone_id, f.date
having count(*) > 1
