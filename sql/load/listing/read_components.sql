-- The records of components, typed; without an id they are no components.
-- Reads: temp.listing, temp.listing_record
-- Makes: temp.component
insert into temp.component
select distinct on (place, component_id) *
from (
    select
        place,
        exact_id(r.id) as component_id,
        r.name as component_name,
        r.state,
        try_cast(r.parent_id as bigint) as parent_id,
        cast(try_cast(r.updated_at as timestamptz) as timestamp) as updated_at
    from (
        select
            l.place,
            json_transform(
                t.record,
                '{"id": "varchar", "name": "varchar", "state": "varchar", "parent_id": "varchar",
                  "updated_at": "varchar"}'
            ) as r
        from temp.listing_record as t
        inner join temp.listing as l on l.place = t.place
        where l.source = 'components'
    )
    where exact_id(r.id) is not null
)
order by place, component_id, updated_at desc nulls last, state, component_name
