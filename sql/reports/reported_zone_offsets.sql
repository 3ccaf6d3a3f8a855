-- How the clocks of the reported zones stand: one row per distinct named time zone, and per distinct offset of the
-- newest plays of zones without one. Says on which local dates "the last complete day" falls.
--
-- For: plays, compliance, uptime, outages, quality
-- Reads: bridge_group_zone, dim_zone, fact_play
-- Columns:
--   time_zone            = dim_zone.time_zone
--   utc_offset_minutes   = fact_play.utc_offset_minutes: What the zone's clock was ahead of UTC at its newest play.

with p as (
    select
        cast(? as varchar) as group_ids, -- lists such as `,3,14,`; empty means all
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids
),

reported as (
    select
        z.zone_id,
        z.time_zone,
        z.last_play_date
    from p
    cross join dim_zone as z
    where
        (p.zone_ids = '' or position(',' || cast(z.zone_id as varchar) || ',' in p.zone_ids) > 0)
        and (p.location_ids = '' or position(',' || cast(z.location_id as varchar) || ',' in p.location_ids) > 0)
        and (
            p.group_ids = ''
            or z.zone_id in (
                select b.zone_id
                from p
                cross join bridge_group_zone as b
                where position(',' || cast(b.group_id as varchar) || ',' in p.group_ids) > 0
            )
        )
),

newest_offset as (
    select
        f.zone_id,
        max_by(coalesce(f.utc_offset_minutes, 0), f.played_at) as utc_offset_minutes
    from fact_play as f
    inner join reported as r on r.zone_id = f.zone_id and r.last_play_date = f.date and r.time_zone is null
    group by f.zone_id
)

select distinct
    r.time_zone,
    o.utc_offset_minutes
from reported as r
left join newest_offset as o on o.zone_id = r.zone_id
order by 1, 2
