-- One row per asset: the dates in the latest listing that contains it, and its latest known length. A listing without a
-- length, such as the assets of a campaign, does not clear it.
--
-- Grain: item_key
-- Reads: core.asset_snapshot, core.build_setting, core.linked_asset
-- Built: whole
-- Columns:
--   item_key        asset_id * 4 + 1 for signage, 2 for messaging.
--   kind            signage or messaging.
--   duration_secs   Length in seconds, converted from the service's unit; null if unknown or not above zero (an image).
--   start_date      First date on which it may play; null: no limit.
--   end_date        Last date on which it may play; null: no limit.

-- Campaign listings contain the same data about linked assets as asset listings.
with listed_asset as (
    select
        kind,
        asset_id,
        duration,
        start_date,
        end_date,
        requested_at,
        snapshot_id,
        group_id
    from core.asset_snapshot
    union all
    select
        kind,
        asset_id,
        duration,
        start_date,
        end_date,
        seen_at as requested_at,
        0 as snapshot_id,
        cast(null as bigint) as group_id
    from core.linked_asset
),

ranked as (
    select
        kind,
        asset_id,
        start_date,
        end_date,
        row_number() over (
            partition by kind, asset_id
            order by requested_at desc, snapshot_id desc, group_id
        ) as newest
    from listed_asset
),

measured as (
    select
        kind,
        asset_id,
        duration,
        row_number() over (
            partition by kind, asset_id
            order by requested_at desc, snapshot_id desc, group_id
        ) as newest
    from listed_asset
    where duration is not null
),

unit as (
    select cast(coalesce(max(case when value = 'milliseconds' then 1000 else 1 end), 1) as double) as per_second
    from core.build_setting
    where name = 'asset_duration_unit'
)

select
    r.asset_id * 4 + case r.kind when 'signage' then 1 else 2 end as item_key,
    r.kind,
    case when m.duration > 0 then cast(m.duration as double) / u.per_second end as duration_secs,
    r.start_date,
    r.end_date
from ranked as r
cross join unit as u
left join measured as m on m.kind = r.kind and m.asset_id = r.asset_id and m.newest = 1
where r.newest = 1
