-- Saves the published campaign days of dirty dates before they are rebuilt. Excludes unpublished dates, whose campaign
-- days were saved when they became unpublished.
insert into core.published_cell
select
    f.campaign_key,
    f.kind,
    f.zone_id,
    f.date,
    f.state
from mart.fact_campaign_zone_day as f
inner join (select distinct kind, date from core.dirty_campaign_day) as d on d.kind = f.kind and d.date = f.date
left join core.unpublished_campaign_day as u on u.kind = f.kind and u.date = f.date
where u.kind is null
