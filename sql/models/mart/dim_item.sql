-- One row per song, signage asset or messaging asset that played or is in an asset listing.
--
-- Grain: item_key
-- Reads: mart.fact_play_item_day, staging.asset_newest, staging.name_newest
-- Built: whole
-- Columns:
--   item_key         Item key (id): The item's number combined with its kind, as in the published tables. Note: item_id
--                    * 4 + 0 for music, 1 for signage, 2 for messaging: signage asset 7 and messaging asset 7 are
--                    different items.
--   kind             = dim_kind.kind
--   item_id          Item id (id): The service's number for the song or asset.
--   item_name        Item (text): Song, or asset of signage or messaging. Note: Its latest name; Song 123 or Asset 123
--                    if it has none.
--   asset_duration   Asset length (seconds): Length of the asset, if an asset listing contains it.
--   start_date       First date (date): First date on which the asset may play; null: no limit, and for songs.
--   end_date         Last date (date): Last date on which the asset may play; null: no limit, and for songs.

with item as (
    select item_key from mart.fact_play_item_day
    union
    select item_key from staging.asset_newest
),

numbered as (
    select
        case item_key % 4 when 0 then 'music' when 1 then 'signage' else 'messaging' end as kind,
        item_key,
        cast(floor(cast(item_key as double) / 4) as bigint) as item_id
    from item
),

item_name as (
    select
        kind,
        id as item_id,
        name
    from staging.name_newest
    where subject = 'item'
)

select
    i.item_key,
    i.kind,
    i.item_id,
    coalesce(
        n.name,
        case i.kind when 'music' then 'Song ' else 'Asset ' end || cast(i.item_id as varchar)
    ) as item_name,
    a.duration_secs as asset_duration,
    a.start_date,
    a.end_date
from numbered as i
left join item_name as n on n.kind = i.kind and n.item_id = i.item_id
left join staging.asset_newest as a on a.item_key = i.item_key
