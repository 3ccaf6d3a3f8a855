-- Reads the records of notice and component listings, and stores the latest record of each, regardless of the order of
-- arrival. Rejects records without an id.
-- Reads: temp.listing, temp.listing_record
-- Leaves: core.component, core.notice, temp.component, temp.notice

-- Instants are in UTC. If two notices have the same id, the one updated last is used.
insert into temp.notice
select distinct on (place, notice_id)
    place,
    exact_id(r.id) as notice_id,
    lower(trim(r.type)) as type,
    lower(trim(r.state)) as state,
    r.subject,
    r.url,
    known_instant(cast(try_cast(r.began_at as timestamptz) as timestamp)) as began_at,
    known_instant(cast(try_cast(r.ended_at as timestamptz) as timestamp)) as ended_at,
    known_instant(cast(try_cast(r.updated_at as timestamptz) as timestamp)) as updated_at,
    known_instant(cast(try_cast(r.ends_at as timestamptz) as timestamp)) as ends_at
from records_of(
    'notices',
    '{"id": "varchar", "type": "varchar", "state": "varchar", "subject": "varchar", "url": "varchar",
      "began_at": "varchar", "ended_at": "varchar", "updated_at": "varchar", "ends_at": "varchar"}'
)
where exact_id(r.id) is not null
order by place, notice_id, updated_at desc nulls last, r.state, r.subject;

merge into core.notice as c
using (
    select
        n.* exclude (place),
        l.requested_at as seen_at
    from temp.notice as n
    inner join temp.listing as l on l.place = n.place
) as n using (notice_id)
when matched and (c.seen_at, coalesce(c.updated_at, c.seen_at)) <= (n.seen_at, coalesce(n.updated_at, n.seen_at))
    then update by name
when not matched
    then insert by name;

insert into temp.component
select distinct on (place, component_id)
    place,
    exact_id(r.id) as component_id,
    r.name as component_name,
    r.state,
    try_cast(r.parent_id as bigint) as parent_id,
    known_instant(cast(try_cast(r.updated_at as timestamptz) as timestamp)) as updated_at
from records_of(
    'components',
    '{"id": "varchar", "name": "varchar", "state": "varchar", "parent_id": "varchar", "updated_at": "varchar"}'
)
where exact_id(r.id) is not null
order by place, component_id, updated_at desc nulls last, r.state, component_name;

merge into core.component as c
using (
    select
        n.* exclude (place),
        l.requested_at as seen_at
    from temp.component as n
    inner join temp.listing as l on l.place = n.place
) as n using (component_id)
when matched and c.seen_at <= n.seen_at
    then update
when not matched
    then insert;
