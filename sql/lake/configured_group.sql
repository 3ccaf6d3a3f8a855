-- Groups that any machine is configured to collect. If any machine has no configured groups, the result is empty, which
-- means all groups, because that machine collects all of them.
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
