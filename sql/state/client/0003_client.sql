-- client.db: what all processes of one user share while they use the service.
-- `api` is one API client at one base URL. Columns in `_ms` count milliseconds of the machine's monotonic clock, which
-- all its processes share and which starts over with the machine; `_at` are milliseconds since 1970.

-- No request is sent before this instant, because the service requested a pause (Retry-After).
create table budget (
    api text primary key,
    not_before_ms real not null
) strict;

-- The queue of requests.
create table ticket (
    id integer primary key autoincrement,
    api text not null,
    pid integer not null,
    beat_ms real not null -- last heartbeat
) strict;

-- Recently granted requests.
create table hit (
    id integer primary key autoincrement,
    api text not null,
    pid integer not null,
    granted_ms real not null,
    sent_ms real -- null until its first byte is sent
) strict;

create index hit_sent on hit (api, sent_ms);

create table token (
    api text primary key,
    access_token text,
    generation integer not null, -- counts renewals
    expires_at real not null,
    renew_at real not null, -- from then on a new one is requested, while this one is still used
    holder text, -- who is renewing it
    holder_pid integer,
    lease_ms real, -- end of the holder's lease
    accepted_generation integer not null default 0 -- the newest that the service accepted
) strict;

-- Responses that the service allows to keep for a while (Cache-Control). Losing them only costs requests. They contain
-- neither tokens nor secrets.
create table kept_answer (
    api text not null, -- clients share no responses
    url text not null,
    body text not null,
    bytes integer not null, -- of the body
    headers text not null, -- JSON: the relevant headers of the response
    vary text, -- JSON: request headers that another request must match
    etag text,
    directives text not null, -- JSON: its Cache-Control
    kept_at real not null,
    stale_at real not null,
    delete_at real not null,
    primary key (api, url)
) strict;
