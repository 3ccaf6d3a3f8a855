-- Every day that can have cells of compliance, or had some when it was published last.
select
    l.kind,
    z.date
from (select distinct kind from core.campaign_listing) as l
cross join (select distinct date from core.zone_day) as z
union
select kind, date from core.published_cell
union
select kind, date from core.unpublished_campaign_day
