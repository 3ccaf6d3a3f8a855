-- Whether core has any play of the kind.
-- Reads: $kind, core.play
-- Makes: nothing
select 1 as found
from core.play
where kind = getvariable('kind')
limit 1
