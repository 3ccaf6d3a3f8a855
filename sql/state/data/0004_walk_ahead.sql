-- Records of a zone that were ahead of their time when it was walked last: loading rejected them, and takes them once
-- their time has come. What earlier versions walked may hold such, too.

alter table walk add column ahead_from text; -- when the first of them begins; null: there is none

alter table walk add column ahead_records integer not null default 0; -- how many there are, at least

update walk set ahead_from = strftime('%Y-%m-%dT%H:%M:%fZ', completed_at, '+1 day')
where completed_at is not null;
