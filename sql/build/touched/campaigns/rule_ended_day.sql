-- Days on which the end of a rule moved in a zone since the last build, for example to another time zone's clock.
--
-- Reads: core.built_rule_ended_day, mart.bridge_zone_listing, mart.fact_rule_ended_day
with changed as (
    select
        coalesce(n.zone_id, b.zone_id) as zone_id,
        coalesce(n.date, b.date) as date
    from mart.fact_rule_ended_day as n
    full join core.built_rule_ended_day as b
        on b.rule_id = n.rule_id and b.zone_id = n.zone_id and b.date = n.date
    where n.zone_id is null or b.zone_id is null or n.until_secs is distinct from b.until_secs
)

select distinct
    l.kind,
    c.date
from changed as c
inner join mart.bridge_zone_listing as l on l.zone_id = c.zone_id
