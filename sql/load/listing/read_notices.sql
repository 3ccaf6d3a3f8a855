-- The records of notices, typed; without an id they are no notices. The service writes instants in UTC. Of two of the
-- same id that which was changed last counts.
create or replace temp table notice as
select distinct on (notice_id) *
from (
    select
        try_cast(r.id as bigint) as notice_id,
        r.type,
        r.state,
        r.subject,
        r.url,
        cast(try_cast(r.began_at as timestamptz) as timestamp) as began_at,
        cast(try_cast(r.ended_at as timestamptz) as timestamp) as ended_at,
        cast(try_cast(r.updated_at as timestamptz) as timestamp) as updated_at
    from (
        select json_transform(
            record,
            '{"id": "varchar", "type": "varchar", "state": "varchar", "subject": "varchar", "url": "varchar",
              "began_at": "varchar", "ended_at": "varchar", "updated_at": "varchar"}'
        ) as r
        from listing_record
    )
    where
        cast(try_cast(r.id as bigint) as varchar) = r.id
        and try_cast(r.id as bigint) between 0 and 2251799813685247
)
order by notice_id, updated_at desc nulls last, state, subject
