-- One row per rejected line of any machine's loads.
--
-- Reads: lake.reject

select
    load_id,
    line_number,
    reason,
    line
from lake.reject
