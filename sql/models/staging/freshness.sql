-- How old the oldest of the newest answers is.
--
-- Grain: one row
-- Reads: mart.fact_freshness
-- Built: view
-- Columns:
--   data_as_of   Nothing that the service had before this instant (UTC) is missing of the groups and kinds that it ever
--                gave whole; the quality report names those that it never did. Null without any load.

select
    min(requested_at) as data_as_of
from mart.fact_freshness
