-- One row per line that a load on any machine rejected.
--
-- Reads: lake.reject

select
    load_id,
    line_number,
    reason,
    line
from lake.reject
