-- Takes records of listings: the parameter is JSON.
-- Reads: nothing
-- Makes: temp.listing_record
insert into temp.listing_record
select *
from rows_of(?, '[{"place": "integer", "line": "integer", "record": "varchar"}]')
