-- The records of components, typed; without an id they are no components.
-- Reads: temp.listing, temp.listing_record
-- Makes: temp.component
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
order by place, component_id, updated_at desc nulls last, r.state, component_name
