-- Some services show whole pages alone, whatever the offset.

alter table walk add column has_whole_pages integer not null default 0; -- 1: so the zone was seen to be shown
