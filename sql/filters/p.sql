-- One row with the report's parameters, in binding order. Only compliance_explain, which explains one cell, declares
-- its own. Lists of ids, kinds and states are strings such as `,3,14,`; an empty string means all.
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
    cast(? as varchar) as device_ids,
    cast(? as varchar) as states, -- keeps rows with a day in one of these states, or devices in one
    cast(? as bigint) as top_rows, -- null: all
    cast(? as varchar) as slot_1_of, -- subject of the first chosen attribute; empty: none
    cast(? as varchar) as slot_1_name,
    cast(? as varchar) as slot_1_values, -- like the lists, with character 31 instead of commas; empty: all
    cast(? as varchar) as slot_2_of,
    cast(? as varchar) as slot_2_name,
    cast(? as varchar) as slot_2_values,
    cast(? as varchar) as slot_3_of,
    cast(? as varchar) as slot_3_name,
    cast(? as varchar) as slot_3_values,
    cast(? as boolean) as by_slot_1,
    cast(? as boolean) as by_slot_2,
    cast(? as boolean) as by_slot_3,
    cast(? as boolean) as by_group,
    cast(? as boolean) as by_zone,
    cast(? as boolean) as by_device,
    cast(? as boolean) as by_platform,
    cast(? as boolean) as by_model,
    cast(? as boolean) as by_firmware
