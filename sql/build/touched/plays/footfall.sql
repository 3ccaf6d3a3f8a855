-- Days of zones whose footfall changed since the last build.
--
-- Reads: core.built_footfall, core.play, mart.dim_footfall
with changed as (
    select
        coalesce(n.zone_id, b.zone_id) as zone_id,
        coalesce(n.valid_from, b.valid_from) as valid_from,
        coalesce(n.valid_to, b.valid_to) as valid_to
    from mart.dim_footfall as n
    full join core.built_footfall as b
        on b.zone_id = n.zone_id
        and b.day_of_week = n.day_of_week
        and b.from_secs = n.from_secs
        and b.to_secs = n.to_secs
        and b.people = n.people
        and b.valid_from = n.valid_from
        and b.valid_to = n.valid_to
    where n.zone_id is null or b.zone_id is null
)

select distinct
    cast(p.kind as varchar) as kind,
    p.date
from core.play as p
inner join changed as c on c.zone_id = p.zone_id and p.date between c.valid_from and c.valid_to
where p.kind <> 'music' and p.duration_secs > 0
