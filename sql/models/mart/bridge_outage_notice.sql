-- One row per outage and notice that lasted at the same time. The service maps no notice to a zone: that the two have to
-- do with each other is only possible. What was cancelled, was a false alarm or ends before it begins is
-- left out.
--
-- Grain: outage_key, notice_id
-- Reads: core.notice, mart.fact_outage
-- Built: whole
-- Columns:
--   outage_key   = fact_outage.outage_key: The outage.
--   notice_id    = dim_notice.notice_id: The notice.

with notice as (
    select
        notice_id,
        began_at,
        coalesce(
            ended_at,
            case when state in ('complete', 'resolved') then updated_at end,
            timestamp '9999-12-31 00:00:00'
        ) as until_at
    from core.notice
    where began_at is not null and coalesce(state, '') not in ('cancelled', 'false_alarm')
)

select
    o.outage_key,
    n.notice_id
from mart.fact_outage as o
inner join notice as n
    on n.began_at < cast(o.started_at + o.down_seconds * interval '1' second as timestamp(6))
    and n.until_at > o.started_at
    and n.until_at >= n.began_at
