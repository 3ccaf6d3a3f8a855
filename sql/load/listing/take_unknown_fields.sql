-- Takes fields that the service does not document, by the listing that held them: the parameter is JSON.
-- Reads: temp.listing
-- Makes: temp.unknown_field
insert into temp.unknown_field
select
    l.source,
    l.kind,
    u.field,
    count(*) as answers,
    cast(sum(u.records) as bigint) as records,
    min(l.requested_at) as first_seen_at,
    max(l.requested_at) as last_seen_at
from rows_of(?, '[{"place": "integer", "field": "varchar", "records": "bigint"}]') as u
inner join temp.listing as l on l.place = u.place
group by l.source, l.kind, u.field
