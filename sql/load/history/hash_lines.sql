-- Hashes the text of each line of $read_file, in order.
-- Reads: $read_file, $rules_version
-- Leaves: temp.line_hash
insert into temp.line_hash
select case when json is not null then hash(json, getvariable('rules_version')) end as hash
from read_ndjson_objects(
    getvariable('read_file'),
    compression = 'uncompressed',
    hive_partitioning = false,
    ignore_errors = true
)
