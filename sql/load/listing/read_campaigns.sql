-- The records of listings of campaigns, typed; without an id they are no campaigns. Of two of the same id the first
-- counts.
-- Reads: temp.campaign, temp.listing, temp.listing_record
-- Makes: temp.campaign, temp.campaign_asset
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

-- An asset whose own dates can't be read is linked, but never active: its end lies before its start.
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
order by place, campaign_id, asset_id, start_date, end_date, duration, asset_name
