-- Fills the tables that limit the rows that a customer token may read. `whole` is replaced with the version's files.
--
-- Reads: share.span, one row per campaign of the token and range of local dates in which its attributes apply

create table share.campaign as
select distinct campaign_key
from share.span;

-- Zones to which a listing with one of the campaigns applied while the campaign belonged to the token.
create table share.zone as
select l.zone_id
from whole.bridge_zone_listing as l
inner join whole.fact_listed_campaign as s
    on s.kind = l.kind and s.owner_kind = l.owner_kind and s.owner_id = l.owner_id
inner join share.span as c
    on c.campaign_key = s.campaign_key
    and s.from_at < c.valid_to + interval '1' day
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > c.valid_from
union
select f.zone_id
from whole.fact_campaign_zone_day as f
inner join share.span as c on c.campaign_key = f.campaign_key and f.date between c.valid_from and c.valid_to;

create table share.zone_group as
select distinct b.group_id
from whole.bridge_group_zone as b
inner join share.zone as z on z.zone_id = b.zone_id;

create table share.item as
select s.item_key
from whole.fact_listed_asset as s
inner join share.span as c
    on c.campaign_key = s.campaign_key
    and s.from_at < c.valid_to + interval '1' day
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > c.valid_from
where coalesce(s.start_date, c.valid_from) <= c.valid_to and coalesce(s.end_date, c.valid_to) >= c.valid_from
union
select b.item_key
from whole.bridge_campaign_asset as b
inner join share.span as c
    on c.campaign_key = b.campaign_key
    and b.linked_from < c.valid_to + interval '1' day
    and coalesce(b.linked_to, timestamp '9999-12-31 00:00:00') > c.valid_from;

-- Zone days on which an asset was linked to one of the campaigns and active, as in src/report/catalog/single-plays.ts.
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

-- Dates on which the token's campaigns belong to another customer.
create table share.gap as
with edge as (
    select
        campaign_key,
        valid_from,
        lag(valid_to) over (partition by campaign_key order by valid_from) + interval '1' day as free_from
    from share.span
)

select
    campaign_key,
    cast(coalesce(free_from, date '1900-01-01') as date) as valid_from,
    cast(valid_from - interval '1' day as date) as valid_to
from edge
where valid_from > coalesce(free_from, date '1900-01-01')
union all
select
    campaign_key,
    cast(max(valid_to) + interval '1' day as date) as valid_from,
    date '2099-12-31' as valid_to
from share.span
group by campaign_key
having max(valid_to) < date '2099-12-31';

-- Other campaigns with the same assets, and the token's campaigns while they belong to another customer, under numbers
-- that no campaign has.
create table share.other as
with other as (
    select
        s.campaign_key,
        date '1900-01-01' as valid_from,
        date '2099-12-31' as valid_to
    from whole.fact_listed_asset as s
    inner join share.item as i on i.item_key = s.item_key
    left join share.campaign as c on c.campaign_key = s.campaign_key
    where c.campaign_key is null
    group by s.campaign_key
    union all
    select
        campaign_key,
        valid_from,
        valid_to
    from share.gap
)

select
    campaign_key,
    valid_from,
    valid_to,
    -dense_rank() over (order by campaign_key) as other_key
from other;

-- All campaigns that can claim the same plays, each with the number under which it is shown on these dates.
create table share.claimant as
select
    campaign_key,
    valid_from,
    valid_to,
    campaign_key as shown_key
from share.span
union all
select
    campaign_key,
    valid_from,
    valid_to,
    other_key as shown_key
from share.other;

create table share.rule as
select
    s.rule_id,
    bool_or(c.shown_key = c.campaign_key) as is_own
from whole.fact_listed_campaign as s
inner join share.claimant as c on c.campaign_key = s.campaign_key
where s.rule_id is not null
group by s.rule_id;
