-- Locations of the zones that the share's campaigns refer to, earlier ones included.

select t.*
from whole.dim_location as t
where t.location_id in (
    select d.location_id
    from whole.dim_zone as d
    inner join share.zone as z on z.zone_id = d.zone_id
    union
    select b.location_id
    from whole.bridge_zone_location as b
    inner join share.zone as z on z.zone_id = b.zone_id
)
