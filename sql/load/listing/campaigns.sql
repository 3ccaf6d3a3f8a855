-- Reads the records of campaign listings, and stores the latest properties of linked assets. store_campaigns.sql stores
-- the campaigns, once the days of zones are known. Rejects records without an id.
-- Reads: temp.listing, temp.listing_record
-- Leaves: core.linked_asset, temp.campaign, temp.campaign_asset

-- If a listing has two records with the same id, the first one is used.
insert into temp.campaign
select distinct on (place, campaign_id)
    place,
    exact_id(r.campaign_id) as campaign_id,
    r.name as campaign_name,
    r.status,
    listed_date(r.add_date) as add_date,
    listed_date(r.start_date) as start_date,
    listed_date(r.end_date) as end_date,
    nullif(trim(r.rrule), '') as rrule,
    nullif(
        concat_ws(
            '; ',
            date_error('add_date', r.add_date),
            date_error('start_date', r.start_date),
            date_error('end_date', r.end_date)
        ),
        ''
    ) as record_error,
    r.assets
from records_of(
    'campaigns',
    '{"campaign_id": "varchar", "name": "varchar", "status": "varchar", "add_date": "varchar",
      "start_date": "varchar", "end_date": "varchar", "rrule": "varchar",
      "assets": [{"asset_id": "varchar", "name": "varchar", "duration": "varchar", "start_date": "varchar",
        "end_date": "varchar"}]}'
)
where exact_id(r.campaign_id) is not null
order by place, campaign_id, line;

-- An asset with unreadable dates is linked but never active, because it gets an end before its start.
insert into temp.campaign_asset
with linked as (
    select
        place,
        campaign_id,
        unnest(assets) as a
    from temp.campaign
)

select distinct on (place, campaign_id, asset_id)
    place,
    campaign_id,
    exact_id(a.asset_id) as asset_id,
    a.name as asset_name,
    finite_number(a.duration) as duration,
    case
        when coalesce(date_error('', a.start_date), date_error('', a.end_date)) is not null then date '9999-12-31'
        else listed_date(a.start_date)
    end as start_date,
    case
        when coalesce(date_error('', a.start_date), date_error('', a.end_date)) is not null then date '1000-01-01'
        else listed_date(a.end_date)
    end as end_date
from linked
where exact_id(a.asset_id) is not null
order by place, campaign_id, asset_id, start_date, end_date, duration, asset_name;

-- Stores unreadable dates as unknown. If two listings have the same instant, the owner that sorts first is used, so
-- that the order of loading does not matter.
merge into core.linked_asset as c
using (
    select distinct on (kind, asset_id)
        l.kind,
        a.asset_id,
        a.duration,
        case when a.end_date is distinct from date '1000-01-01' then a.start_date end as start_date,
        nullif(a.end_date, date '1000-01-01') as end_date,
        l.requested_at as seen_at,
        l.owner_kind,
        l.owner_id
    from temp.campaign_asset as a
    inner join temp.listing as l on l.place = a.place
    order by l.kind, a.asset_id, l.requested_at desc, l.owner_kind, l.owner_id, a.campaign_id
) as s using (kind, asset_id)
when matched and (
    c.seen_at < s.seen_at
    or (c.seen_at = s.seen_at and (c.owner_kind, c.owner_id) >= (s.owner_kind, s.owner_id))
)
    then update
when not matched
    then insert;
