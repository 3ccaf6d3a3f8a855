-- Services that forbid (403) what is asked with a token that has ended, are asked for another: once one is not new any more.

alter table token add column stored_at real not null default 0; -- when it came
