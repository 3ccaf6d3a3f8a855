insert into listing_record
select unnest(from_json(cast(? as varchar), '["varchar"]')) as record
