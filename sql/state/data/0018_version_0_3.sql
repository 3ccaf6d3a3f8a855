-- Changes since version 0.2.

-- Number of requests that a run sent to the status API, for the next plan; null: it collected nothing, or did not end by
-- itself.
alter table run add column status_requests integer;

update run set status_requests = coalesce(summary ->> '$.status_requests', summary ->> '$.sync.status_requests')
where json_valid(summary);

-- Listings of zones that the service refused: they wait for their next turn like those that landed.
create table refused_listing (
    service text not null, -- base URL
    source text not null, -- campaigns or assets
    kind text not null,
    zone_id integer not null,
    asked_at text not null, -- in data's time
    primary key (service, source, kind, zone_id)
) strict, without rowid;

-- 1: the service returns whole pages of this zone, whatever the offset.
alter table walk add column has_whole_pages integer not null default 0;

-- Base URLs no longer end in a slash, unless it is the path of a server's root. Rows that exist for both forms stay.
update collection set service = rtrim(service, '/') where service like '%://%/%/';

update export_job set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore group_zone set service = rtrim(service, '/') where service like '%://%/%/';

update or ignore walk set service = rtrim(service, '/') where service like '%://%/%/';

-- Stored notices lack their announced end: the next sync requests all of them again.
delete from status_notice;

-- One refused history or listing was enough to mark a zone as gone. The next sync requests these zones again.
delete from gone_zone;

-- One row per problem that a rule in notify.csv reports to a recipient. It is kept until its end is sent.
create table incident (
    rule text not null,
    definition text not null, -- the rule's view and condition; if it changes, the rule's incidents start over
    recipient text not null,
    entity text not null, -- JSON key, e.g. of a campaign and a zone; '' for a rule that always sends
    label text not null, -- the entity as shown to readers
    opened_at text not null,
    announced_at text, -- when the last message about it was written; null: none has been sent
    closed_at text, -- null: ongoing
    message_id text, -- the waiting message that mentions it
    change text check (change in ('new', 'open', 'over')), -- what that message reports
    primary key (rule, recipient, entity)
) strict;

-- Outbox: digests to deliver, each to one recipient. Each run writes those that have not arrived again.
create table message (
    message_id text primary key, -- also the Message-ID of mail and the idempotency key of webhooks
    recipient text not null, -- mailto:ADDRESS or webhook:NAME
    content text, -- JSON of the digest; null once it is no longer needed
    created_at text not null,
    attempts integer not null default 0,
    next_attempt_at text not null,
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'undelivered')),
    ended_at text, -- when it was sent or abandoned
    problem text, -- why the last attempt failed
    may_have_arrived integer not null default 0, -- 1: an attempt failed in a way that leaves open whether it arrived
    written_at text not null default ''
) strict;

create index message_waiting on message (status, next_attempt_at);

-- What the tokens of `venue serve token add` show to other people.
create table share (
    name text primary key,
    token_sha256 text not null unique, -- in hexadecimal; the token itself is not stored
    campaigns text, -- JSON list of campaign keys; null: every campaign that the attributes select
    attributes text not null, -- JSON list of attributes of campaigns, each with a name and the accepted values
    views text not null, -- JSON list of reports and `proof`
    created_at text not null,
    expires_on text, -- last date in UTC on which the token is valid; null: no end
    is_disabled integer not null default 0 -- 1: a restore would have revived it; `venue serve token enable` enables it
) strict;

-- What loads found out about histories, for planning the next collection.
create table zone_history (
    kind text not null,
    zone_id integer not null,
    records integer not null,
    records_per_day real not null, -- over the last 14 days
    primary key (kind, zone_id)
) strict;

-- Zones that occur in exports of a group.
create table exported_zone (
    group_id integer not null,
    zone_id integer not null,
    primary key (group_id, zone_id)
) strict;

-- Identifies this data folder in stores that it shares with others.
create table data_folder (
    id text not null,
    epoch text not null default '', -- of the loader's last acknowledgement, if it collects for one
    clock_offset_ms integer not null default 0 -- what its clock lacked to the service's in the last run
) strict;

-- Collectors of the store from which this data folder last loaded.
create table collector (
    name text primary key,
    host text not null,
    last_landing_at text, -- request time; null: none yet
    unfinished text not null -- JSON, as in run
) strict;
