-- The assets of the requested campaigns: one row per zone, local day in the period and asset that was linked to one of
-- the campaigns and active on the day. Empty if no campaign is requested.
--
-- Reads: fact_listed_asset, fact_zone_day_listing, p

select distinct
    z.zone_id,
    z.date,
    s.item_key
from p
inner join fact_zone_day_listing as z on p.campaign_keys <> '' and z.date between p.date_from and p.date_to
inner join fact_listed_asset as s
    on s.kind = z.kind
    and s.owner_kind = z.owner_kind
    and s.owner_id = z.owner_id
    and s.from_at < z.end_at
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > z.start_at
where
    position(',' || cast(s.campaign_key as varchar) || ',' in p.campaign_keys) > 0
    and (s.start_date is null or s.start_date <= z.date)
    and (s.end_date is null or s.end_date >= z.date)
