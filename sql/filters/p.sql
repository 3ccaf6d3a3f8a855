-- What was asked for: one row. Names the parameters of all reports that read it, in the order in which they are bound;
-- those of compliance_explain, which is asked for one cell, name their own.
-- Lists of ids, kinds and states are text such as `,3,14,`; an empty text means all.
--
-- Reads: nothing

select
    cast(? as timestamp(6)) as now_at,
    cast(? as date) as date_from,
    cast(? as date) as date_to, -- inclusive
    cast(? as varchar) as group_ids,
    cast(? as varchar) as zone_ids,
    cast(? as varchar) as location_ids,
    cast(? as varchar) as kinds,
    cast(? as varchar) as campaign_keys,
    cast(? as varchar) as item_ids,
    cast(? as varchar) as artist_ids,
    cast(? as varchar) as device_ids,
    cast(? as varchar) as load_ids,
    cast(? as varchar) as states, -- rows with a day in one of them
    cast(? as bigint) as top_rows, -- null: all
    cast(? as boolean) as by_kind,
    cast(? as boolean) as by_group,
    cast(? as boolean) as by_location,
    cast(? as boolean) as by_zone,
    cast(? as boolean) as by_device,
    cast(? as boolean) as by_item,
    cast(? as boolean) as by_artist,
    cast(? as boolean) as by_campaign,
    cast(? as boolean) as by_date,
    cast(? as boolean) as by_week,
    cast(? as boolean) as by_month,
    cast(? as boolean) as by_hour
