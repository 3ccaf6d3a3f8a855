-- One row per outage and service notice that overlap in time. The service does not link notices to zones, so the notice
-- is only a possible cause. Excludes notices that were cancelled, were false alarms, or end before they begin.
--
-- Grain: outage_key, notice_id
-- Reads: mart.fact_outage, staging.notice
-- Built: whole
-- Columns:
--   outage_key   = fact_outage.outage_key: The outage.
--   notice_id    = dim_notice.notice_id: The notice.

select
    o.outage_key,
    n.notice_id
from mart.fact_outage as o
inner join staging.notice as n
    on n.began_at < cast(o.started_at + o.down_seconds * interval '1' second as timestamp(6))
    and coalesce(n.ended_at, timestamp '9999-12-31 00:00:00') > o.started_at
where n.is_effective
