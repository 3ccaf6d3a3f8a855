-- The requested zones if no attribute is chosen.
--
-- Reads: asked_zone

select *
from asked_zone
