-- A first load reads its file once. So that names can be told from it, and lines be known again, each record carries
-- for a while what it was read from.
alter table core.play add column line_hash ubigint;

alter table core.play add column place_hash ubigint; -- of zone and location, with their names

alter table core.play add column item_hash ubigint; -- of item and artist, with their names

set variable has_other_plays = (select count(*) > 0 from core.play);
