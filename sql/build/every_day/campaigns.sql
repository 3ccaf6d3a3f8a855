-- Every date that can have campaign days, or had some in the last published version.
select
    l.kind,
    z.date
from (select distinct kind from core.campaign_listing) as l
cross join (select distinct date from core.zone_day) as z
union
select kind, date from core.published_cell
union
select kind, date from core.unpublished_campaign_day
