-- Zones whose plays from one machine get local dates in a time zone that another machine's reference file specifies.
--
-- Reads: core.zone_time_zone, lake.zone_day, lake.zone_time_zone
select distinct
    d.machine,
    d.zone_id,
    t.time_zone
from lake.zone_day as d
inner join core.zone_time_zone as t on t.zone_id = d.zone_id
left join lake.zone_time_zone as o on o.machine = d.machine and o.zone_id = d.zone_id
where o.time_zone is null or o.time_zone <> t.time_zone
