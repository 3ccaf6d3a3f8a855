-- Landing ids that were never loaded into this warehouse, from the JSON array of ids in the parameter.
select landing_id as "landingId"
from (select unnest(from_json(cast(? as varchar), '["varchar"]')) as landing_id) as requested
anti join core.load using (landing_id)
anti join core.snapshot using (landing_id)
