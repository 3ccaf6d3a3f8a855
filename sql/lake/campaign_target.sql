-- Campaign targets from the reference files of all machines. If they differ, all lines of the campaign come from the
-- file applied last.
--
-- Reads: lake.campaign_target, lake.reference_file

with campaign as (
    select distinct
        machine,
        campaign_key
    from lake.campaign_target
),

ranked as (
    select
        c.machine,
        c.campaign_key,
        row_number() over (partition by c.campaign_key order by f.applied_at desc nulls last, c.machine) as newest
    from campaign as c
    left join lake.reference_file as f on f.machine = c.machine and f.name = 'campaign_targets.csv'
)

select
    t.campaign_key,
    t.valid_from,
    t.valid_to,
    t.plays,
    t.plays_per_zone_day,
    t.compliance
from lake.campaign_target as t
inner join ranked as r on r.machine = t.machine and r.campaign_key = t.campaign_key
where r.newest = 1
