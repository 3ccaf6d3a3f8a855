-- Days on which zones reach the UNTIL of a rule at another local time than before.
--
-- Reads: core.campaign_rule, core.former_zone_until, core.listing_span, core.zone_until
with changed as (
    select zone_id, date, until_at
    from (
        select zone_id, date, until_at, until_secs from core.zone_until
        except
        select zone_id, date, until_at, until_secs from core.former_zone_until
    ) as come
    union
    select zone_id, date, until_at
    from (
        select zone_id, date, until_at, until_secs from core.former_zone_until
        except
        select zone_id, date, until_at, until_secs from core.zone_until
    ) as gone
)

select distinct
    s.kind,
    c.date
from changed as c
inner join core.campaign_rule as r on r.until_at = c.until_at
inner join core.listing_span as s on s.rule_id = r.rule_id
