-- Zones with a named time zone: 1,024 maps, by the remainder of the zone's id.
set variable named_zones = (
    with zone as (
        select
            b.bucket,
            map_from_entries(list((t.zone_id, t.time_zone)) filter (where t.zone_id is not null)) as time_zones
        from range(1024) as b (bucket)
        left join core.zone_time_zone as t on t.zone_id % 1024 = b.bucket
        group by b.bucket
    )

    select list(coalesce(time_zones, map(cast([] as bigint[]), cast([] as varchar[]))) order by bucket)
    from zone
);

set variable has_named_zones = (select count(*) > 0 from core.zone_time_zone);
