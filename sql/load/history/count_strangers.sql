-- Records of walks that tell of another zone than the one that was walked.
-- Reads: temp.landing, temp.record
-- Makes: nothing
select count(*) as strangers
from temp.record as r
inner join temp.landing as l on l.load_id = r.load_id
where r.zone_id <> l.zone_id
