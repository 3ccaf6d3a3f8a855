-- Takes records of listings: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.listing_record
insert into temp.listing_record
select
    unnest(
        from_json(cast(? as varchar), '[{"place": "integer", "line": "integer", "record": "varchar"}]'),
        recursive := true
    )
