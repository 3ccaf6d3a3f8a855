-- One row with the oldest of the latest complete responses for each group and kind.
--
-- Grain: one row
-- Reads: mart.fact_freshness
-- Built: view
-- Columns:
--   data_as_of   All history that the service had before this instant (UTC) is loaded, for groups and kinds that were
--                ever complete; the quality report lists the others. Null without loads.

select
    min(requested_at) as data_as_of
from mart.fact_freshness
