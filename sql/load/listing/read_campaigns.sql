-- The records of a listing of campaigns, typed; without an id they are no campaigns. Of two of the same id the first
-- counts.
create or replace temp macro listed_id(text) as
case
    when cast(try_cast(text as bigint) as varchar) = text and try_cast(text as bigint) between 0 and 2251799813685247
        then try_cast(text as bigint)
end;

-- A date of a listing; what means none is null, like what is no date.
create or replace temp macro listed_date(text) as
case when text not like '0000-00-00%' then try_cast(trim(text) as date) end;

-- What is no date, in words.
create or replace temp macro date_error(name, text) as
case
    when trim(text) <> '' and text not like '0000-00-00%' and try_cast(trim(text) as date) is null
        then name || ' "' || left(text, 40) || '" is no date'
end;

create or replace temp table campaign as
with typed as (
    select
        rowid as place,
        json_transform(
            record,
            '{"campaign_id": "varchar", "name": "varchar", "status": "varchar", "add_date": "varchar",
              "start_date": "varchar", "end_date": "varchar", "rrule": "varchar",
              "assets": [{"asset_id": "varchar", "name": "varchar", "duration": "varchar", "start_date": "varchar",
                "end_date": "varchar"}]}'
        ) as r
    from listing_record
)

select distinct on (campaign_id)
    listed_id(r.campaign_id) as campaign_id,
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
from typed
where listed_id(r.campaign_id) is not null
order by campaign_id, place;

-- An asset whose own dates can't be read is linked, but never active: its end lies before its start.
create or replace temp table campaign_asset as
with linked as (
    select
        campaign_id,
        unnest(assets) as a
    from campaign
)

select distinct on (campaign_id, asset_id)
    campaign_id,
    listed_id(a.asset_id) as asset_id,
    a.name as asset_name,
    try_cast(a.duration as double) as duration,
    case
        when coalesce(date_error('', a.start_date), date_error('', a.end_date)) is not null then date '9999-12-31'
        else listed_date(a.start_date)
    end as start_date,
    case
        when coalesce(date_error('', a.start_date), date_error('', a.end_date)) is not null then date '1000-01-01'
        else listed_date(a.end_date)
    end as end_date
from linked
where listed_id(a.asset_id) is not null
order by campaign_id, asset_id, start_date, end_date, duration, asset_name
