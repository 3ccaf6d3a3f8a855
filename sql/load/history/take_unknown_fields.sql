-- Takes fields that the service does not document, of one history: the parameter is JSON.
-- Reads: $kind, $requested_at
-- Makes: temp.unknown_field
insert into temp.unknown_field
select
    'history' as source,
    getvariable('kind') as kind,
    field,
    1 as answers,
    records,
    getvariable('requested_at') as first_seen_at,
    getvariable('requested_at') as last_seen_at
from rows_of(?, '[{"field": "varchar", "records": "bigint"}]')
