-- UTC offsets of the zones' clocks, which determine the local dates that have ended in every zone. One row per named
-- time zone and, for zones without one, per offset of their latest plays.

with newest_offset as (
    select
        f.zone_id,
        max_by(coalesce(f.utc_offset_minutes, 0), f.played_at) as utc_offset_minutes
    from fact_play as f
    inner join dim_zone as r on r.zone_id = f.zone_id and r.last_play_date = f.date and r.time_zone is null
    group by f.zone_id
)

select distinct
    r.time_zone,
    o.utc_offset_minutes
from dim_zone as r
left join newest_offset as o on o.zone_id = r.zone_id
order by 1, 2
