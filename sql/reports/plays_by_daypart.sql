-- Plays by part of the day, and by any of kind, group, location, city, zone, item, artist, date, week, month and
-- quarter. Columns that rows are not grouped by are null. A daypart that extends past midnight belongs wholly to the
-- day on which it began, which determines the period, date, week, month, quarter and attributes of its plays.
--
-- For: plays
-- Reads: date_key, dim_artist, dim_daypart, dim_group, dim_item, dim_location, dim_zone, fact_play, item_slot, p,
--   zone_key
-- Attributes: zone, item
-- By:
--   kind       kind
--   group      group_id, group_name
--   location   location_id, location_name
--   city       city
--   zone       zone_id, zone_name
--   item       kind, item_key, item_id, item_name
--   artist     artist_id, artist_name
--   date       date
--   week       week
--   month      month
--   quarter    quarter
--   daypart    daypart
-- Columns:
--   kind             = dim_kind.kind
--   group_id         = dim_group.group_id
--   group_name       = dim_group.group_name
--   location_id      = dim_location.location_id
--   location_name    = dim_location.location_name
--   city             = dim_location.city
--   zone_id          = dim_zone.zone_id
--   zone_name        = dim_zone.zone_name
--   item_key         = dim_item.item_key
--   item_id          = dim_item.item_id
--   item_name        = dim_item.item_name
--   artist_id        = dim_artist.artist_id
--   artist_name      = dim_artist.artist_name
--   date             = dim_date.date
--   week             = plays.week
--   month            = dim_date.month
--   quarter          = plays.quarter
--   daypart          = dim_daypart.daypart: Part of the day in which the play began, by the zone's clock; (none) outside
--                    all of them. Note: From reference/dayparts.csv.
--   plays            = plays.plays
--   play_seconds     = plays.play_seconds
--   complete_plays   = plays.complete_plays
--   measured_plays   = plays.measured_plays
--   short_plays      = plays.short_plays
--   zones            = plays.zones
--   items            = plays.items
-- Single:
--   zones   zone
--   items   item

with digit as (
    select n
    from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as d (n)
),

minute as (
    select thousands.n * 1000 + hundreds.n * 100 + tens.n * 10 + ones.n as n
    from (values (0), (1)) as thousands (n)
    cross join digit as hundreds
    cross join digit as tens
    cross join digit as ones
    where thousands.n * 1000 + hundreds.n * 100 + tens.n * 10 + ones.n < 1440
),

-- Each minute of a day with its daypart, and the number of days since the daypart began. Dayparts do not overlap.
minute_part as (
    select
        m.n as minute_no,
        coalesce(d.daypart, '(none)') as daypart,
        coalesce(d.from_secs, 86400) as from_secs,
        coalesce(k.days, 0) as days
    from minute as m
    left join (
        dim_daypart as d
        cross join (values (0), (1)) as k (days)
    ) on (m.n + k.days * 1440) * 60 >= d.from_secs and (m.n + k.days * 1440) * 60 < d.to_secs
),

timed as (
    select
        f.kind,
        f.zone_id,
        f.item_key,
        f.artist_id,
        cast(f.date - m.days * interval '1' day as date) as date,
        m.daypart,
        m.from_secs,
        f.duration_secs,
        f.is_complete,
        f.is_short
    from p
    inner join fact_play as f on f.date between p.date_from and cast(p.date_to + interval '1' day as date)
    inner join minute_part as m on m.minute_no = f.play_hour * 60 + minute(f.played_at_local)
    where p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0
),

summed as (
    select
        case when p.by_slot_1 then coalesce(z.key_slot_1, i.slot_1) end as key_slot_1,
        case when p.by_slot_2 then coalesce(z.key_slot_2, i.slot_2) end as key_slot_2,
        case when p.by_slot_3 then coalesce(z.key_slot_3, i.slot_3) end as key_slot_3,
        case when p.by_kind or p.by_item then f.kind end as key_kind,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        z.key_zone_id,
        case when p.by_item then f.item_key end as key_item,
        case when p.by_artist then f.artist_id end as key_artist_id,
        d.key_date,
        d.key_week,
        d.key_month,
        d.key_quarter,
        f.daypart,
        f.from_secs,
        count(*) as plays,
        cast(sum(f.duration_secs) as bigint) as play_seconds,
        count(case when f.is_complete then 1 end) as complete_plays,
        count(f.is_complete) as measured_plays,
        count(case when f.kind <> 'music' then 1 end) as asset_plays,
        count(case when f.is_short then 1 end) as short_plays,
        count(distinct f.zone_id) as zones,
        count(distinct f.item_key) as items
    from p
    cross join timed as f
    inner join date_key as d on d.date = f.date
    inner join zone_key as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    left join item_slot as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where 'item' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of) or i.item_key is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
),

ranked as (
    select
        summed.*,
        row_number() over (
            order by
                plays desc, key_kind, key_group_id, key_location_id, key_city, key_zone_id, key_item, key_artist_id,
                key_date, key_week, key_month, key_quarter, from_secs, key_slot_1, key_slot_2, key_slot_3
        ) as place
    from summed
)

select
    r.key_slot_1 as attribute_1,
    r.key_slot_2 as attribute_2,
    r.key_slot_3 as attribute_3,
    r.key_kind as kind,
    r.key_group_id as group_id,
    g.group_name,
    r.key_location_id as location_id,
    l.location_name,
    r.key_city as city,
    r.key_zone_id as zone_id,
    z.zone_name,
    r.key_item as item_key,
    i.item_id,
    i.item_name,
    r.key_artist_id as artist_id,
    a.artist_name,
    r.key_date as date,
    r.key_week as week,
    r.key_month as month,
    r.key_quarter as quarter,
    r.daypart,
    r.plays,
    r.play_seconds,
    case when r.measured_plays > 0 then r.complete_plays end as complete_plays,
    case when r.asset_plays > 0 then r.measured_plays end as measured_plays,
    case when r.asset_plays < r.plays then r.short_plays end as short_plays,
    r.zones,
    r.items
from p
inner join ranked as r on p.top_rows is null or r.place <= p.top_rows
left join dim_group as g on g.group_id = r.key_group_id
left join dim_location as l on l.location_id = r.key_location_id
left join dim_zone as z on z.zone_id = r.key_zone_id
left join dim_item as i on i.item_key = r.key_item
left join dim_artist as a on a.artist_id = r.key_artist_id
order by
    case when p.top_rows is not null then r.place end, r.key_slot_1, r.key_slot_2, r.key_slot_3, r.key_kind,
    r.key_group_id, r.key_location_id, r.key_city, r.key_zone_id, r.key_item, r.key_artist_id, r.key_date, r.key_week,
    r.key_month, r.key_quarter, r.from_secs
