-- Locations with a zone that the share's campaigns refer to.

select t.*
from whole.dim_location as t
where t.location_id in (
    select d.location_id
    from whole.dim_zone as d
    inner join share.zone as z on z.zone_id = d.zone_id
)
