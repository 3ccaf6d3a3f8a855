-- Plays by any of kind, group, location, city, zone, item, artist, date, week, month, quarter and hour. Columns that
-- rows are not grouped by are null. Without a group, a zone counts once, however many groups it belongs to; by group,
-- it counts once in each.
--
-- Reads: date_key, dim_artist, dim_group, dim_item, dim_kind, dim_location, dim_zone, fact_play, fact_play_day,
--   fact_play_item_day, fact_play_zone_day, fact_play_zone_hour, item_slot, p, zone_key
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
--   hour       hour
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
--   week             Week (text): ISO week: Monday to Sunday.
--   month            = dim_date.month
--   quarter          Quarter (text): Calendar quarter, as YYYY-Qn.
--   hour             = fact_play.play_hour
--   plays            = fact_play_day.plays
--   play_seconds     = fact_play_day.play_seconds
--   complete_plays   = fact_play_day.complete_plays: Measured plays that lasted at least the asset's length, less 1
--                    second. Note: Blank without measured plays.
--   measured_plays   = fact_play_day.measured_plays: Plays of an asset whose length is known. Note: Blank if only music
--                    played.
--   short_plays      = fact_play_day.short_plays: Songs that lasted under 30 seconds. Note: Blank if no music played.
--   zones            Zones (count): Number of different zones that played.
--   items            = fact_play_zone_day.items
-- Single:
--   zones   zone
--   items   item

with -- Places and kinds: one row per zone and kind, and per group if grouped by it. Zones are numbered
-- without gaps: each is one bit of a number that represents up to 60 of them.
source_key as (
    select
        z.zone_id,
        z.slot_from,
        z.slot_to,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        z.key_zone_id,
        dense_rank() over (order by z.zone_id) as zone_no,
        k.kind,
        case k.kind when 'music' then 0 when 'signage' then 1 else 2 end as kind_no, -- item_key % 4
        case when p.by_kind then k.kind end as key_kind,
        z.key_slot_1,
        z.key_slot_2,
        z.key_slot_3
    from p
    cross join zone_key as z
    cross join dim_kind as k
    where p.kinds = '' or position(',' || k.kind || ',' in p.kinds) > 0
),

-- Numbers the result rows before plays are read, because grouping by one number is far faster than by nine columns.
source as (
    select
        source_key.*,
        bitwise_left_shift(cast(1 as bigint), cast(zone_no % 60 as integer)) as zone_bit,
        dense_rank() over (
            order by
                key_slot_1, key_slot_2, key_slot_3, key_kind, key_group_id, key_location_id, key_city, key_zone_id
        ) as source_no,
        dense_rank() over (
            order by
                key_slot_1, key_slot_2, key_slot_3, key_kind, key_group_id, key_location_id, key_city,
                key_zone_id, zone_no - zone_no % 60
        ) as block_no
    from source_key
),

-- The same per kind, for results that are not grouped by zone, group, location or an attribute of zones.
anywhere as (
    select distinct
        kind,
        kind_no,
        source_no
    from source
),

grain as (
    select
        p.*,
        p.by_item or p.by_artist or 'item' in (p.slot_1_of, p.slot_2_of, p.slot_3_of) as is_by_item,
        'item' in (p.slot_1_of, p.slot_2_of, p.slot_3_of) as has_item_slot,
        'zone' in (p.slot_1_of, p.slot_2_of, p.slot_3_of) as has_zone_slot,
        -- Exceeds the numbers of all sources and times together.
        24000000000 * (date_diff('day', cast(p.date_from as date), cast(p.date_to as date)) + 2) as slot_width
    from p
),

moment_key as (
    select
        d.*,
        h.hour
    from p
    cross join date_key as d
    inner join (
        values (-1), (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11),
        (12), (13), (14), (15), (16), (17), (18), (19), (20), (21), (22), (23)
    ) as h (hour) on p.by_hour = (h.hour >= 0)
),

-- Times: one row per date, or per hour if grouped by it. Each row selects the tables for sums and for counts of zones
-- and items, always the smallest that is sufficient. A count that is always one is skipped, and zones of the few items
-- shown by --top are counted only once these items are known. Numbers have gaps, so that a source's number can be
-- added.
moment as (
    select
        moment_key.*,
        p.by_item,
        p.by_artist,
        p.has_item_slot,
        1000000000 * dense_rank() over (order by key_date, key_week, key_month, key_quarter, hour) as moment_no,
        case
            when p.by_hour and p.is_by_item then 'fact_play'
            when p.by_hour then 'fact_play_zone_hour'
            when not p.is_by_item then 'fact_play_zone_day'
            when
                p.by_group or p.by_location or p.by_city or p.by_zone
                or p.group_ids <> '' or p.location_ids <> '' or p.zone_ids <> ''
                or p.has_zone_slot
                then 'fact_play_day'
            else 'fact_play_item_day'
        end as summed_from,
        case
            when p.by_zone or (p.by_item and p.top_rows <= 10000) then ''
            when p.by_hour and p.is_by_item then 'fact_play'
            when p.by_hour then 'fact_play_zone_hour'
            when p.is_by_item then 'fact_play_day'
            else 'fact_play_zone_day'
        end as zones_from,
        case
            when p.by_item or (p.by_zone and p.by_date and not p.is_by_item and not p.by_hour) then ''
            when p.by_hour then 'fact_play'
            when
                p.by_group or p.by_location or p.by_city or p.by_zone
                or p.group_ids <> '' or p.location_ids <> '' or p.zone_ids <> ''
                or p.has_zone_slot
                then 'fact_play_day'
            else 'fact_play_item_day'
        end as items_from
    from grain as p
    cross join moment_key
),

-- Attributes of items, with numbers beyond those of sources and times.
item_key_slot as (
    select
        i.item_key,
        i.slot_from,
        i.slot_to,
        p.slot_width,
        case when p.by_slot_1 then i.slot_1 end as key_slot_1,
        case when p.by_slot_2 then i.slot_2 end as key_slot_2,
        case when p.by_slot_3 then i.slot_3 end as key_slot_3
    from grain as p
    cross join item_slot as i
),

item_source as (
    select
        item_key_slot.*,
        slot_width * dense_rank() over (order by key_slot_1, key_slot_2, key_slot_3) as slot_no
    from item_key_slot
),

-- A property that a kind lacks, such as the length of music, is null, and so is its sum in rows without other kinds.
played as (
    select
        source.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        case when moment.by_item then f.item_key end as item_key,
        case when moment.by_artist then f.artist_id end as artist_id,
        f.plays,
        f.play_seconds,
        case when source.kind_no > 0 then f.complete_plays end as complete_plays,
        case when source.kind_no > 0 then f.measured_plays end as measured_plays,
        case when source.kind_no = 0 then f.short_plays end as short_plays,
        cast(null as bigint) as items
    from fact_play_day as f
    inner join moment on moment.date = f.date and moment.summed_from = 'fact_play_day'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        anywhere.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        case when moment.by_item then f.item_key end as item_key,
        case when moment.by_artist then f.artist_id end as artist_id,
        f.plays,
        f.play_seconds,
        case when anywhere.kind_no > 0 then f.complete_plays end as complete_plays,
        case when anywhere.kind_no > 0 then f.measured_plays end as measured_plays,
        case when anywhere.kind_no = 0 then f.short_plays end as short_plays,
        cast(null as bigint) as items
    from fact_play_item_day as f
    inner join moment on moment.date = f.date and moment.summed_from = 'fact_play_item_day'
    inner join anywhere on anywhere.kind_no = f.item_key % 4
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        source.source_no + moment.moment_no as row_no,
        cast(null as bigint) as item_key,
        cast(null as bigint) as artist_id,
        f.plays,
        f.play_seconds,
        case when source.kind_no > 0 then f.complete_plays end as complete_plays,
        case when source.kind_no > 0 then f.measured_plays end as measured_plays,
        case when source.kind_no = 0 then f.short_plays end as short_plays,
        f.items
    from fact_play_zone_day as f
    inner join moment on moment.date = f.date and moment.summed_from = 'fact_play_zone_day'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind = f.kind
        and f.date between source.slot_from and source.slot_to
    union all
    select
        source.source_no + moment.moment_no as row_no,
        cast(null as bigint) as item_key,
        cast(null as bigint) as artist_id,
        f.plays,
        f.play_seconds,
        case when source.kind_no > 0 then f.complete_plays end as complete_plays,
        case when source.kind_no > 0 then f.measured_plays end as measured_plays,
        case when source.kind_no = 0 then f.short_plays end as short_plays,
        cast(null as bigint) as items
    from fact_play_zone_hour as f
    inner join moment
        on moment.date = f.date and moment.hour = f.play_hour and moment.summed_from = 'fact_play_zone_hour'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind = f.kind
        and f.date between source.slot_from and source.slot_to
    union all
    select
        source.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        case when moment.by_item then f.item_key end as item_key,
        case when moment.by_artist then f.artist_id end as artist_id,
        1 as plays,
        f.duration_secs as play_seconds,
        case when source.kind_no > 0 then case when f.is_complete then 1 else 0 end end as complete_plays,
        case when source.kind_no > 0 then case when f.is_complete is not null then 1 else 0 end end as measured_plays,
        case when source.kind_no = 0 then case when f.is_short then 1 else 0 end end as short_plays,
        cast(null as bigint) as items
    from fact_play as f
    inner join moment
        on moment.date = f.date and moment.hour = f.play_hour and moment.summed_from = 'fact_play'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
),

summed as (
    select
        row_no,
        item_key,
        artist_id,
        cast(sum(plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays,
        cast(sum(short_plays) as bigint) as short_plays,
        cast(sum(items) as bigint) as items
    from played
    group by row_no, item_key, artist_id
),

ranked as (
    select
        summed.*,
        row_number() over (
            order by
                plays desc,
                case item_key % 4 when 2 then 0 when 0 then 1 else 2 end, -- alphabetical order of kinds
                row_no % 1000000000,
                item_key,
                artist_id,
                row_no
        ) as place
    from p
    inner join summed on p.top_rows is not null
),

-- Positions are needed only for --top.
shown as (
    select ranked.*
    from p
    inner join ranked on ranked.place <= p.top_rows
    union all
    select
        summed.*,
        cast(null as bigint) as place
    from p
    inner join summed on p.top_rows is null
),

-- The limit drops no rows; it only lets the planner expect few.
few_item as (
    select distinct s.item_key
    from p
    inner join shown as s on p.top_rows <= 10000 and p.by_item and not p.by_zone
    limit 10000
),

-- Grouping removes all other plays before further joins. Only the period is read from files.
few_played as (
    select
        f.zone_id,
        f.item_key,
        f.artist_id,
        f.date,
        -1 as hour
    from few_item as i
    inner join p on not p.by_hour
    inner join fact_play_day as f on f.item_key = i.item_key and f.date between p.date_from and p.date_to
    group by f.zone_id, f.item_key, f.artist_id, f.date
    union all
    select
        f.zone_id,
        f.item_key,
        f.artist_id,
        f.date,
        f.play_hour as hour
    from few_item as i
    inner join p on p.by_hour
    inner join fact_play as f on f.item_key = i.item_key and f.date between p.date_from and p.date_to
    group by f.zone_id, f.item_key, f.artist_id, f.date, f.play_hour
),

zone_played as (
    select
        source.block_no + moment.moment_no as block_no,
        cast(null as bigint) as key_item,
        cast(null as bigint) as key_artist_id,
        source.zone_bit
    from fact_play_zone_day as f
    inner join moment on moment.date = f.date and moment.zones_from = 'fact_play_zone_day'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind = f.kind
        and f.date between source.slot_from and source.slot_to
    union all
    select
        source.block_no + moment.moment_no as block_no,
        cast(null as bigint) as key_item,
        cast(null as bigint) as key_artist_id,
        source.zone_bit
    from fact_play_zone_hour as f
    inner join moment on moment.date = f.date and moment.hour = f.play_hour and moment.zones_from = 'fact_play_zone_hour'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind = f.kind
        and f.date between source.slot_from and source.slot_to
    union all
    select
        source.block_no + moment.moment_no + coalesce(i.slot_no, 0) as block_no,
        case when moment.by_item then f.item_key end as key_item,
        case when moment.by_artist then f.artist_id end as key_artist_id,
        source.zone_bit
    from fact_play_day as f
    inner join moment on moment.date = f.date and moment.zones_from = 'fact_play_day'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        source.block_no + moment.moment_no + coalesce(i.slot_no, 0) as block_no,
        case when moment.by_item then f.item_key end as key_item,
        case when moment.by_artist then f.artist_id end as key_artist_id,
        source.zone_bit
    from fact_play as f
    inner join moment on moment.date = f.date and moment.hour = f.play_hour and moment.zones_from = 'fact_play'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        source.block_no + moment.moment_no + coalesce(i.slot_no, 0) as block_no,
        case when moment.by_item then f.item_key end as key_item,
        case when moment.by_artist then f.artist_id end as key_artist_id,
        source.zone_bit
    from few_played as f
    inner join moment on moment.date = f.date and moment.hour = f.hour
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
),

-- Zones as bits, which need only a sixtieth as many rows as pairs of a result row and a zone.
zone_bits as (
    select
        block_no,
        key_item,
        key_artist_id,
        bitwise_or_agg(zone_bit) as bits
    from zone_played
    group by block_no, key_item, key_artist_id
),

block_label as (
    select distinct block_no, source_no
    from source
),

zone_count as (
    select
        l.source_no + z.block_no - l.block_no as row_no,
        z.key_item,
        z.key_artist_id,
        cast(sum(bit_count(z.bits, 64)) as bigint) as zones
    from zone_bits as z
    inner join block_label as l on l.block_no = z.block_no % 1000000000
    group by l.source_no + z.block_no - l.block_no, z.key_item, z.key_artist_id
),

item_played as (
    select
        source.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        f.item_key,
        case when moment.by_artist then f.artist_id end as key_artist_id
    from fact_play_day as f
    inner join moment on moment.date = f.date and moment.items_from = 'fact_play_day'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        anywhere.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        f.item_key,
        case when moment.by_artist then f.artist_id end as key_artist_id
    from fact_play_item_day as f
    inner join moment on moment.date = f.date and moment.items_from = 'fact_play_item_day'
    inner join anywhere on anywhere.kind_no = f.item_key % 4
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
    union all
    select
        source.source_no + moment.moment_no + coalesce(i.slot_no, 0) as row_no,
        f.item_key,
        case when moment.by_artist then f.artist_id end as key_artist_id
    from fact_play as f
    inner join moment
        on moment.date = f.date and moment.hour = f.play_hour and moment.items_from = 'fact_play'
    inner join source
        on source.zone_id = f.zone_id
        and source.kind_no = f.item_key % 4
        and f.date between source.slot_from and source.slot_to
    left join item_source as i on i.item_key = f.item_key and f.date between i.slot_from and i.slot_to
    where not moment.has_item_slot or i.item_key is not null
),

-- Items as bits: up to 60 items of a kind with adjacent ids share a number.
item_bits as (
    select
        row_no,
        key_artist_id,
        bitwise_or_agg(bitwise_left_shift(cast(1 as bigint), cast(bitwise_right_shift(item_key % 240, 2) as integer))) as bits
    from item_played
    group by row_no, key_artist_id, item_key - item_key % 240 + item_key % 4
),

item_count as (
    select
        row_no,
        key_artist_id,
        cast(sum(bit_count(bits, 64)) as bigint) as items
    from item_bits
    group by row_no, key_artist_id
),

-- Maps the numbers back to their labels.
source_label as (
    select distinct
        source_no, key_kind, key_group_id, key_location_id, key_city, key_zone_id, key_slot_1, key_slot_2, key_slot_3
    from source
),

moment_label as (
    select distinct moment_no, key_date, key_week, key_month, key_quarter, hour
    from moment
),

slot_label as (
    select distinct slot_no, key_slot_1, key_slot_2, key_slot_3
    from item_source
)

select
    coalesce(s.key_slot_1, t.key_slot_1) as attribute_1,
    coalesce(s.key_slot_2, t.key_slot_2) as attribute_2,
    coalesce(s.key_slot_3, t.key_slot_3) as attribute_3,
    coalesce(s.key_kind, i.kind) as kind,
    s.key_group_id as group_id,
    g.group_name,
    s.key_location_id as location_id,
    l.location_name,
    s.key_city as city,
    s.key_zone_id as zone_id,
    z.zone_name,
    r.item_key,
    i.item_id,
    i.item_name,
    r.artist_id,
    a.artist_name,
    m.key_date as date,
    m.key_week as week,
    m.key_month as month,
    m.key_quarter as quarter,
    case when m.hour >= 0 then m.hour end as hour,
    coalesce(r.plays, 0) as plays,
    coalesce(r.play_seconds, 0) as play_seconds,
    case when r.measured_plays > 0 then r.complete_plays end as complete_plays,
    r.measured_plays,
    r.short_plays,
    case when r.row_no is null then 0 when p.by_zone then 1 else zc.zones end as zones,
    case
        when r.row_no is null then 0
        when p.by_item then 1
        when
            p.by_zone and p.by_date and not p.by_artist and not p.by_hour
            and not p.has_item_slot
            then r.items
        else ic.items
    end as items
from grain as p
left join shown as r on true
left join zone_count as zc
    on zc.row_no = r.row_no
    and coalesce(zc.key_item, -1) = coalesce(r.item_key, -1)
    and coalesce(zc.key_artist_id, -1) = coalesce(r.artist_id, -1)
left join item_count as ic
    on ic.row_no = r.row_no
    and coalesce(ic.key_artist_id, -1) = coalesce(r.artist_id, -1)
left join source_label as s on s.source_no = r.row_no % 1000000000
left join moment_label as m on m.moment_no = r.row_no % p.slot_width - r.row_no % 1000000000
left join slot_label as t on t.slot_no = r.row_no - r.row_no % p.slot_width
left join dim_group as g on g.group_id = s.key_group_id
left join dim_location as l on l.location_id = s.key_location_id
left join dim_zone as z on z.zone_id = s.key_zone_id
left join dim_item as i on i.item_key = r.item_key
left join dim_artist as a on a.artist_id = r.artist_id
-- Without data, the total is a row of zeros, but there are no grouped rows.
where
    r.row_no is not null
    or not (
        p.by_kind or p.by_group or p.by_location or p.by_city or p.by_zone or p.by_item or p.by_artist
        or p.by_date or p.by_week or p.by_month or p.by_quarter or p.by_hour
        or p.by_slot_1 or p.by_slot_2 or p.by_slot_3
    )
order by
    r.place, attribute_1, attribute_2, attribute_3, kind, group_id, location_id, city, zone_id, r.item_key,
    r.artist_id, date, week, month, quarter, hour
