-- Fills the sets that the views of a share compare with. `whole` stands for the version's files.
--
-- Reads: share.span, one row per campaign of the share and range of local dates in which its attributes apply

create table share.campaign as
select distinct campaign_key
from share.span;

-- Zones to which a listing with one of the campaigns applies, or applied.
create table share.zone as
select l.zone_id
from whole.bridge_zone_listing as l
inner join whole.fact_listed_campaign as s
    on s.kind = l.kind and s.owner_kind = l.owner_kind and s.owner_id = l.owner_id
inner join share.campaign as c on c.campaign_key = s.campaign_key
union
select f.zone_id
from whole.fact_campaign_zone_day as f
inner join share.campaign as c on c.campaign_key = f.campaign_key;

create table share.zone_group as
select distinct b.group_id
from whole.bridge_group_zone as b
inner join share.zone as z on z.zone_id = b.zone_id;

create table share.item as
select s.item_key
from whole.fact_listed_asset as s
inner join share.campaign as c on c.campaign_key = s.campaign_key
union
select b.item_key
from whole.bridge_campaign_asset as b
inner join share.campaign as c on c.campaign_key = b.campaign_key;

-- Zone days on which an asset was linked to one of the campaigns and active, as in sql/filters/campaign_item_day.sql.
create table share.item_day as
select distinct
    z.zone_id,
    z.date,
    s.item_key
from whole.fact_zone_day_listing as z
inner join whole.fact_listed_asset as s
    on s.kind = z.kind
    and s.owner_kind = z.owner_kind
    and s.owner_id = z.owner_id
    and s.from_at < z.end_at
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > z.start_at
inner join share.span as c
    on c.campaign_key = s.campaign_key and z.date between c.valid_from and c.valid_to
where (s.start_date is null or s.start_date <= z.date) and (s.end_date is null or s.end_date >= z.date);

-- Other campaigns with assets of these ones, under numbers that no campaign has.
create table share.other as
select
    s.campaign_key,
    -dense_rank() over (order by s.campaign_key) as other_key
from whole.fact_listed_asset as s
inner join share.item as i on i.item_key = s.item_key
left join share.campaign as c on c.campaign_key = s.campaign_key
where c.campaign_key is null
group by s.campaign_key;

create table share.rule as
select
    s.rule_id,
    bool_or(c.campaign_key is not null) as is_own
from whole.fact_listed_campaign as s
left join share.campaign as c on c.campaign_key = s.campaign_key
left join share.other as o on o.campaign_key = s.campaign_key
where s.rule_id is not null and (c.campaign_key is not null or o.campaign_key is not null)
group by s.rule_id;
