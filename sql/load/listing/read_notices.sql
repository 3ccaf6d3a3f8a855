-- The records of notices, typed; without an id they are no notices. The service writes instants in UTC. Of two of the
-- same id that which was changed last counts.
-- Reads: temp.listing, temp.listing_record
-- Makes: temp.notice
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
order by place, notice_id, updated_at desc nulls last, r.state, r.subject
