-- Walks, the zones of groups, and what past exports cost.

-- Zones that a group's newest devices listing named.
create table group_zone (
    service text not null, -- base URL
    group_id integer not null,
    zone_id integer not null,
    seen_at text not null, -- in data's time
    primary key (service, group_id, zone_id)
) strict;

-- Zones whose history the service no longer knows.
create table gone_zone (
    service text not null,
    zone_id integer not null,
    gone_at text not null, -- in data's time
    primary key (service, zone_id)
) strict;

-- One row per zone and kind whose history was, or is being, read page by page.
create table walk (
    walk_id integer primary key,
    service text not null,
    kind text not null,
    zone_id integer not null,
    sort_order text, -- newest, oldest, unsorted; null: not seen yet
    known_total integer, -- records of the last complete walk; null: the next one reads everything
    top text, -- JSON: hashes of the newest records then, in the service's order
    page_size integer, -- most records that a page held
    requests integer, -- of the last complete walk
    requests_since integer, -- of the last one that read only what was new
    completed_at text, -- in data's time: all that the service had then was seen
    landing_id text, -- of the last complete walk
    open_landing_id text, -- of the walk that is under way
    progress text, -- JSON: how far that one is
    unique (service, kind, zone_id)
) strict;

create index walk_open on walk (open_landing_id);

-- What stood where in a zone's history: records by their place, counted from the oldest, from 0.
create table walk_mark (
    walk_id integer not null references walk (walk_id) on delete cascade,
    place integer not null,
    identity text not null, -- of the record and of the one before it
    primary key (walk_id, place)
) strict, without rowid;

-- Notices of the status API that landed, and as of which change.
create table status_notice (
    status_url text not null,
    notice_id integer not null,
    updated_at text not null,
    timeline_state text not null,
    primary key (status_url, notice_id)
) strict;

alter table export_job add column polls integer not null default 0;

alter table export_job add column bytes integer;

alter table export_job add column download_ms integer;

create index landing_source on landing (source, kind, group_id, zone_id);

create index landing_state on landing (state);
