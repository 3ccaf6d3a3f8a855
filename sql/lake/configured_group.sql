-- Groups collected by any machine. A machine without configured groups collects all of them, so then all
-- groups count.
--
-- Reads: lake.calendar, lake.configured_group

with unlimited as (
    select count(*) as machines
    from (
        select machine from lake.calendar
        except
        select machine from lake.configured_group
    ) as m
)

select distinct g.group_id
from lake.configured_group as g
cross join unlimited as u
where u.machines = 0
