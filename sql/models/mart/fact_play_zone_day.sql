-- One row per kind, zone and local day with plays, summed over all items, for reports by zone that need no items.
--
-- Grain: kind, zone_id, date
-- Reads: mart.fact_play_day, mart.fact_play_item_day
-- Built: day
-- Published: by month, ordered by zone_id, date, kind
-- Columns:
--   kind             = dim_kind.kind
--   zone_id          = fact_play.zone_id
--   date             = fact_play_day.date
--   plays            = fact_play_day.plays
--   play_seconds     = fact_play_day.play_seconds
--   complete_plays   = fact_play_day.complete_plays
--   measured_plays   = fact_play_day.measured_plays
--   short_plays      = fact_play_day.short_plays
--   items            Items (count): Number of different songs and assets that played.

with zone_day as (
    select
        kind,
        zone_id,
        date,
        cast(sum(plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays,
        cast(sum(short_plays) as bigint) as short_plays,
        count(*) as item_rows
    from mart.fact_play_day
    group by kind, zone_id, date
),

-- An item has one row per day and zone, except for the few songs listed under several artists. Subtracting these is far
-- less work than counting distinct items for every zone.
shared_item as (
    select
        item_key,
        date
    from mart.fact_play_item_day
    group by item_key, date
    having count(*) > 1
),

zone_item as (
    select
        f.kind,
        f.zone_id,
        f.date,
        count(*) - 1 as further_rows
    from mart.fact_play_day as f
    inner join shared_item as s on s.item_key = f.item_key and s.date = f.date
    group by f.kind, f.zone_id, f.date, f.item_key
    having count(*) > 1
),

zone_further as (
    select
        kind,
        zone_id,
        date,
        cast(sum(further_rows) as bigint) as further_rows
    from zone_item
    group by kind, zone_id, date
)

select
    z.kind,
    z.zone_id,
    z.date,
    z.plays,
    z.play_seconds,
    z.complete_plays,
    z.measured_plays,
    z.short_plays,
    z.item_rows - coalesce(a.further_rows, 0) as items
from zone_day as z
left join zone_further as a on a.kind = z.kind and a.zone_id = z.zone_id and a.date = z.date
