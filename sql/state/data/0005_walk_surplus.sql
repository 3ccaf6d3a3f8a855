-- Some services count a record more than they list.

alter table walk add column surplus integer not null default 0; -- 1: so it was seen by the walk before, at the zone's end
