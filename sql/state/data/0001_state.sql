-- state.db: what must survive a crash or be seen by other processes on the same data folder.
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
    summary text -- JSON
) strict;

-- At most one row: who changes this data folder now.
create table run_lock (
    id integer primary key check (id = 1),
    run_id integer not null,
    command text not null,
    pid integer not null,
    process_started text not null, -- tells a process from a later one with the same pid
    host text not null,
    since text not null,
    beat_at text not null
) strict;

-- What one run set out to collect. Open until that run, or the one that went on with it, came to its end.
create table collection (
    collection_id integer primary key,
    service text not null, -- base URL
    scope text not null, -- the topics
    requested_at text not null, -- in data's time
    opened_at text not null,
    closed_at text
) strict;

-- One row per export that was, or may have been, asked for.
create table export_job (
    id integer primary key,
    service text not null, -- base URL: a job is only known to the service that made it
    kind text not null,
    group_id integer not null,
    job_id text, -- the service's; null until it answered
    state text not null check (
        state in ('creating', 'processing', 'completed', 'landed', 'failed', 'ambiguous', 'abandoned')
    ),
    requested_at text not null, -- in data's time
    created_at text not null,
    finished_at text,
    landing_id text not null, -- of the landing that it becomes
    etag text, -- strong; of the file that is being downloaded
    error text
) strict;

create index export_job_open on export_job (service, kind, group_id, state);

-- One row per landing: a file of JSON Lines that waits to be loaded, or was.
create table landing (
    landing_id text primary key,
    collection_id integer not null references collection (collection_id),
    source text not null, -- export, walk, file, devices or assets
    kind text not null, -- '' where the source knows none
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
