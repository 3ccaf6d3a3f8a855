-- Process numbers repeat across containers, even under the same host name. Each row also records the number, start time and
-- process space of its owner; null: an earlier version wrote it, and only its heartbeat counts.

alter table ticket add column process text;

alter table hit add column process text;

alter table token add column holder_process text;
