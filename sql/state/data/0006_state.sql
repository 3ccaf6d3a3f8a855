-- state.db: what must survive a crash, or be seen by other processes on the same data folder.
-- Instants are ISO 8601 text in UTC.

create table run (
    run_id integer primary key,
    command text not null,
    status text not null check (status in ('running', 'succeeded', 'failed', 'interrupted')),
    started_at text not null,
    ended_at text,
    exit_code integer,
    pid integer not null,
    host text not null,
    note text, -- one line: what was done, or why it failed
    summary text, -- JSON
    unfinished text -- JSON: subject, value and note of everything that was not collected; null: the run did not end by itself
) strict;

-- At most one row: who is changing this data folder.
create table run_lock (
    id integer primary key check (id = 1),
    run_id integer not null,
    command text not null,
    pid integer not null,
    process_started text not null, -- distinguishes a process from a later one with the same pid
    host text not null,
    since text not null,
    beat_at text not null
) strict;

-- What one run set out to collect. Open until that run, or the one that continued it, ended.
create table collection (
    collection_id integer primary key,
    service text not null, -- base URL
    scope text not null, -- the topics
    requested_at text not null, -- in data's time
    opened_at text not null,
    closed_at text
) strict;

-- One row per export that was, or may have been, requested.
create table export_job (
    id integer primary key,
    service text not null, -- base URL: only the service that made a job knows it
    kind text not null,
    group_id integer not null,
    job_id text, -- the service's; null until it responded
    state text not null check (
        state in ('creating', 'processing', 'completed', 'landed', 'failed', 'ambiguous', 'abandoned')
    ),
    requested_at text not null, -- in data's time
    created_at text not null,
    finished_at text,
    landing_id text not null, -- of the landing that it becomes
    etag text, -- strong; of the file that is being downloaded
    error text,
    polls integer not null default 0,
    bytes integer,
    download_ms integer
) strict;

create index export_job_open on export_job (service, kind, group_id, state);

-- One row per landing: a file of JSON Lines that waits to be loaded, or was loaded.
create table landing (
    landing_id text primary key,
    collection_id integer not null references collection (collection_id),
    source text not null, -- export, walk, file, devices or assets
    kind text not null, -- '' where the source has none
    group_id integer,
    zone_id integer,
    requested_at text not null,
    path text not null, -- relative to the data folder
    bytes integer not null,
    is_complete integer not null,
    state text not null check (state in ('ready', 'loaded', 'broken', 'removed')),
    landed_at text not null,
    loaded_at text
) strict;

create index landing_source on landing (source, kind, group_id, zone_id);

create index landing_state on landing (state);

-- Zones in a group's newest devices listing.
create table group_zone (
    service text not null, -- base URL
    group_id integer not null,
    zone_id integer not null,
    seen_at text not null, -- in data's time
    left_at text, -- in data's time, of the first listing without the zone, whose earlier plays may still come; null: listed
    primary key (service, group_id, zone_id)
) strict;

-- Zones whose history the service no longer has.
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
    sort_order text, -- newest, oldest, unsorted; null: unknown yet
    known_total integer, -- records of the last complete walk; null: the next one reads everything
    top text, -- JSON: hashes of the newest records then, in the service's order
    page_size integer, -- most records on a page
    requests integer, -- of the last complete walk
    requests_since integer, -- of the last one that read only new records
    completed_at text, -- in data's time: all that the service had then was read
    landing_id text, -- of the last complete walk
    open_landing_id text, -- of the walk in progress
    progress text, -- JSON, of that walk
    ahead_from text, -- start of the first record that was ahead of its time, so that loading rejected it; null: none
    ahead_records integer not null default 0, -- minimum number of these
    surplus integer not null default 0, -- 1: the previous walk found that the service counts a record more than it lists
    unique (service, kind, zone_id)
) strict;

create index walk_open on walk (open_landing_id);

-- Records of a zone's history by their place, counted from the oldest, from 0.
create table walk_mark (
    walk_id integer not null references walk (walk_id) on delete cascade,
    place integer not null,
    identity text not null, -- of the record and of the one before it
    primary key (walk_id, place)
) strict, without rowid;

-- Notices of the status API that landed, with the time of their last change.
create table status_notice (
    status_url text not null,
    notice_id integer not null,
    updated_at text not null,
    timeline_state text not null,
    primary key (status_url, notice_id)
) strict;
