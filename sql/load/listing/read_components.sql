-- The records of components, typed; without an id they are no components.
create or replace temp table component as
select distinct on (component_id) *
from (
    select
        try_cast(r.id as bigint) as component_id,
        r.name as component_name,
        r.state,
        try_cast(r.parent_id as bigint) as parent_id,
        cast(try_cast(r.updated_at as timestamptz) as timestamp) as updated_at
    from (
        select json_transform(
            record,
            '{"id": "varchar", "name": "varchar", "state": "varchar", "parent_id": "varchar", "updated_at": "varchar"}'
        ) as r
        from listing_record
    )
    where
        cast(try_cast(r.id as bigint) as varchar) = r.id
        and try_cast(r.id as bigint) between 0 and 2251799813685247
)
order by component_id, updated_at desc nulls last, state, component_name
