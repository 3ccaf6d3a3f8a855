-- Zone days that were added or removed since the last build, or whose start, end, plays, closing or device states
-- changed. If the end of a day moved past a listing, earlier days with the same next listing are included too, because
-- they depend on whether that listing omitted a campaign before the campaign's last day ended.
--
-- Reads: core.built_zone_day, core.built_zone_listing, core.campaign_listing, mart.bridge_zone_listing,
--   staging.zone_day_state
with changed as (
    select
        coalesce(s.zone_id, b.zone_id) as zone_id,
        coalesce(s.date, b.date) as date
    from staging.zone_day_state as s
    full join core.built_zone_day as b on b.zone_id = s.zone_id and b.date = s.date
    where
        s.start_at is distinct from b.start_at
        or s.end_at is distinct from b.end_at
        or s.has_plays is distinct from b.has_plays
        or s.is_closed is distinct from b.is_closed
        or s.is_closed_by_hours is distinct from b.is_closed_by_hours
        or s.is_up is distinct from b.is_up
        or s.is_down is distinct from b.is_down
),

moved_end as (
    select
        s.zone_id,
        s.date,
        case when s.end_at < b.end_at then s.end_at else b.end_at end as from_at,
        case when s.end_at < b.end_at then b.end_at else s.end_at end as until_at
    from staging.zone_day_state as s
    inner join core.built_zone_day as b on b.zone_id = s.zone_id and b.date = s.date
    where s.end_at <> b.end_at
),

-- `distinct` makes DuckDB join listings with these few rows instead of all days, because an owner may have a listing
-- per day.
moved as (
    select distinct
        l.kind,
        l.owner_kind,
        l.owner_id,
        m.zone_id,
        m.date,
        m.from_at,
        m.until_at
    from moved_end as m
    inner join mart.bridge_zone_listing as l on l.zone_id = m.zone_id
),

passed as (
    select distinct
        m.kind,
        m.zone_id,
        m.date,
        a.previous_at
    from moved as m
    inner join core.campaign_listing as a
        on a.kind = m.kind
        and a.owner_kind = m.owner_kind
        and a.owner_id = m.owner_id
        and a.is_valid
        and a.requested_at >= m.from_at
        and a.requested_at < m.until_at
)

select distinct
    l.kind,
    c.date
from changed as c
inner join mart.bridge_zone_listing as l on l.zone_id = c.zone_id
union
select distinct
    l.kind,
    c.date
from changed as c
inner join core.built_zone_listing as l on l.zone_id = c.zone_id
union
select distinct
    p.kind,
    d.date
from passed as p
inner join staging.zone_day_state as d on d.zone_id = p.zone_id and d.date < p.date and d.end_at > p.previous_at
