-- Changes since version 0.2.

-- Bodies are bytes, because each opening checks all text of the file for invalid UTF-8. They are the last column, so that
-- reading the others need not pass through them.
delete from kept_answer;

alter table kept_answer drop column body;

alter table kept_answer add column sha256 text not null default ''; -- of the body

alter table kept_answer add column body blob not null default x''; -- UTF-8

-- A service that forbids (403) a request with an expired token is sent another one, unless the token is new.
alter table token add column stored_at real not null default 0;

-- Process numbers repeat across containers, even under the same host name. Each row also records the number, start time and
-- process space of its owner; null: version 0.2 wrote it, and only its heartbeat is used.
alter table ticket add column process text;

alter table hit add column process text;

alter table token add column holder_process text;
