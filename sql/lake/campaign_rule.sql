-- One row per rule, with the lowest id that it has on any machine. The dates come from the machine whose expansion
-- reaches furthest, and from adjoining expansions by the same version on other machines.
--
-- Reads: lake.campaign_rule

with ranked as (
    select
        r.*,
        min(rule_id) over (partition by rrule, start_date, add_date) as lowest_id,
        row_number() over (
            partition by rrule, start_date, add_date
            order by expanded_to desc, expanded_from, machine
        ) as furthest
    from lake.campaign_rule as r
),

adjoining as (
    select
        f.lowest_id,
        min(r.expanded_from) as expanded_from
    from ranked as f
    inner join ranked as r
        on r.lowest_id = f.lowest_id
        and r.expanded_by is not distinct from f.expanded_by
        and r.expanded_to >= f.expanded_from
    where f.furthest = 1
    group by f.lowest_id
)

select
    r.lowest_id as rule_id,
    r.rrule,
    r.start_date,
    r.add_date,
    r.rule_error,
    r.is_every_day,
    coalesce(a.expanded_from, r.expanded_from) as expanded_from,
    r.expanded_to,
    r.expanded_by,
    r.until_at
from ranked as r
left join adjoining as a on a.lowest_id = r.lowest_id
where r.furthest = 1
