-- client.db: what all processes of one user share while they talk to the service.
-- `api` names one API client at one base URL. Columns in `_ms` count milliseconds of the machine's monotonic clock,
-- which all its processes share and which starts anew with the machine; `_at` are milliseconds since 1970.

-- Nothing is sent before this instant: the service asked for it (Retry-After).
create table budget (
    api text primary key,
    not_before_ms real not null
) strict;

-- Who waits to send a request, in the order in which they came.
create table ticket (
    id integer primary key autoincrement,
    api text not null,
    pid integer not null,
    beat_ms real not null -- last sign of life
) strict;

-- Requests that were let through lately.
create table hit (
    id integer primary key autoincrement,
    api text not null,
    pid integer not null,
    granted_ms real not null,
    sent_ms real -- null until its first byte leaves
) strict;

create index hit_sent on hit (api, sent_ms);

create table token (
    api text primary key,
    access_token text,
    generation integer not null, -- counts renewals
    expires_at real not null,
    renew_at real not null, -- from here on a new one is asked for, while this one still serves
    holder text, -- who renews it now
    holder_pid integer,
    lease_ms real -- until when the holder may take for it
) strict;
