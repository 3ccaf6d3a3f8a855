-- The plays of a proof by asset: one row per campaign, zone, local day on which the campaign was scheduled, and asset
-- that played. The plays of a day add up to its candidate plays.
--
-- Reads: campaign_slot, dim_item, dim_zone, fact_campaign_zone_day, fact_listed_asset, fact_play_day, fact_zone_day_listing,
--   p, zone_slot
-- Columns:
--   kind              = dim_campaign.kind
--   campaign_id       = dim_campaign.campaign_id
--   campaign_name     = dim_campaign.campaign_name
--   zone_id           = dim_zone.zone_id
--   zone_name         = dim_zone.zone_name
--   date              = dim_date.date
--   item_id           = dim_item.item_id
--   item_name         = dim_item.item_name
--   candidate_plays   = fact_campaign_zone_day.candidate_plays: Plays of the asset that count for the campaign.
--   play_seconds      = fact_play_day.play_seconds

with linked as (
    select distinct
        f.campaign_key,
        f.kind,
        f.zone_id,
        f.date,
        a.item_key
    from p
    inner join fact_campaign_zone_day as f
        on f.date between p.date_from and p.date_to
        and f.state <> 'unscheduled'
        and f.candidate_plays > 0
    inner join zone_slot as s on s.zone_id = f.zone_id and f.date between s.slot_from and s.slot_to
    inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
    inner join fact_zone_day_listing as d on d.kind = f.kind and d.zone_id = f.zone_id and d.date = f.date
    inner join fact_listed_asset as a
        on a.kind = d.kind
        and a.owner_kind = d.owner_kind
        and a.owner_id = d.owner_id
        and a.campaign_key = f.campaign_key
        and a.from_at < d.end_at
        and coalesce(a.until_at, timestamp '9999-12-31 00:00:00') > d.start_at
    where (a.start_date is null or a.start_date <= f.date) and (a.end_date is null or a.end_date >= f.date)
),

played as (
    select
        l.campaign_key,
        l.zone_id,
        l.date,
        l.item_key,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds
    from linked as l
    inner join fact_play_day as f
        on f.kind = l.kind and f.zone_id = l.zone_id and f.date = l.date and f.item_key = l.item_key
    group by l.campaign_key, l.zone_id, l.date, l.item_key
)

select
    c.kind,
    c.campaign_id,
    c.campaign_name,
    y.zone_id,
    z.zone_name,
    y.date,
    i.item_id,
    i.item_name,
    y.plays as candidate_plays,
    y.play_seconds
from played as y
inner join dim_zone as z on z.zone_id = y.zone_id
inner join dim_item as i on i.item_key = y.item_key
inner join campaign_slot as c on c.campaign_key = y.campaign_key and y.date between c.slot_from and c.slot_to
order by c.kind, c.campaign_id, y.zone_id, y.date, i.item_id
