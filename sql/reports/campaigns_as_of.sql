-- Freshness of campaigns: of the newest listings for each group and kind, the oldest. A listing may be of a group or of
-- one of its zones.
--
-- For: compliance
-- Reads: bridge_group_zone, chosen_group_zone, fact_snapshot, p
-- Columns:
--   campaigns_as_of   Campaigns as of (instant): The oldest, over groups and kinds, of the newest campaigns listing.

with listing as (
    select
        s.kind,
        s.group_id,
        s.requested_at
    from fact_snapshot as s
    where s.source = 'campaigns'
    union all
    select
        s.kind,
        b.group_id,
        s.requested_at
    from fact_snapshot as s
    inner join bridge_group_zone as b on b.zone_id = s.zone_id
    where s.source = 'campaigns'
),

newest as (
    select
        l.kind,
        l.group_id,
        max(l.requested_at) as requested_at
    from p
    cross join listing as l
    where
        l.group_id in (select group_id from chosen_group_zone)
        and (p.kinds = '' or position(',' || l.kind || ',' in p.kinds) > 0)
    group by l.kind, l.group_id
)

select min(requested_at) as campaigns_as_of
from newest
