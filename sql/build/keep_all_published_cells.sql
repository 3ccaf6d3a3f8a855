-- Saves all campaign days of the published version before a full rebuild.
insert into core.published_cell
select
    f.campaign_key,
    f.kind,
    f.zone_id,
    f.date,
    f.state
from mart.fact_campaign_zone_day as f
left join core.unpublished_campaign_day as u on u.kind = f.kind and u.date = f.date
where u.kind is null
