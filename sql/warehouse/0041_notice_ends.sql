-- When a planned notice was announced to end: without an ended_at it counts no longer than that.
alter table core.notice add column ends_at timestamp;
