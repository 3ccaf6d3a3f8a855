-- Outcomes of scheduled zone days for charts, by campaign and by zone, each by date, week or month. Both are in one
-- statement, so that each day is read once.
--
-- For: compliance
-- Reads: campaign_slot, date_key, dim_campaign, dim_zone, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   kind                  = dim_campaign.kind
--   campaign_key          = dim_campaign.campaign_key
--   campaign_id           = dim_campaign.campaign_id
--   campaign_name         = dim_campaign.campaign_name
--   zone_id               = dim_zone.zone_id
--   zone_name             = dim_zone.zone_name
--   date                  = dim_date.date
--   week                  = plays.week
--   month                 = dim_date.month
--   compliant_days        = compliance.compliant_days
--   missed_days           = compliance.missed_days
--   missed_offline_days   = compliance.missed_offline_days
--   closed_days           = compliance.closed_days
--   not_measurable_days   = compliance.not_measurable_days
--   pending_days          = compliance.pending_days
--   unscheduled_days      = compliance.unscheduled_days

with cell as (
    select
        f.campaign_key,
        f.zone_id,
        d.key_date,
        d.key_week,
        d.key_month,
        f.state,
        p.states = '' or position(',' || f.state || ',' in p.states) > 0 as is_asked_for
    from p
    -- Repeats date_key's condition, so that campaign days outside the period are not read.
    inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
    inner join date_key as d on d.date = f.date
    inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
),

counted as (
    select
        campaign_key,
        zone_id,
        key_date,
        key_week,
        key_month,
        count(case when state = 'compliant' then 1 end) as compliant_days,
        count(case when state = 'missed' then 1 end) as missed_days,
        count(case when state = 'missed_offline' then 1 end) as missed_offline_days,
        count(case when state = 'closed' then 1 end) as closed_days,
        count(case when state = 'not_measurable' then 1 end) as not_measurable_days,
        count(case when state = 'pending' then 1 end) as pending_days,
        count(case when state = 'unscheduled' then 1 end) as unscheduled_days,
        count(case when is_asked_for then 1 end) as asked_days
    from cell
    group by grouping sets ((campaign_key, key_date, key_week, key_month), (zone_id, key_date, key_week, key_month))
)

select
    n.kind,
    s.campaign_key,
    n.campaign_id,
    n.campaign_name,
    s.zone_id,
    z.zone_name,
    s.key_date as date,
    s.key_week as week,
    s.key_month as month,
    s.compliant_days,
    s.missed_days,
    s.missed_offline_days,
    s.closed_days,
    s.not_measurable_days,
    s.pending_days,
    s.unscheduled_days
from counted as s
left join dim_campaign as n on n.campaign_key = s.campaign_key
left join dim_zone as z on z.zone_id = s.zone_id
where s.asked_days > 0
order by
    n.kind,
    n.campaign_id,
    s.zone_id,
    s.key_date,
    s.key_week,
    s.key_month
