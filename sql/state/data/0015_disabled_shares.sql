-- A restore disables tokens that it would otherwise revive; `venue serve token enable` enables them again.
alter table share add column is_disabled integer not null default 0;
