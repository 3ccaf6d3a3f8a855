-- Answers that a service allows to keep for a while (Cache-Control). Losing them costs requests, nothing else. No
-- credentials: neither tokens nor secrets are kept here, nor answers that contain one.
create table kept_answer (
    api text not null, -- whose answers they are: clients share none
    url text not null,
    body text not null,
    bytes integer not null, -- of the body
    headers text not null, -- JSON: those of the answer that matter
    vary text, -- JSON: request headers that another request must have alike
    etag text,
    directives text not null, -- JSON: its Cache-Control
    -- Milliseconds since 1970.
    kept_at real not null,
    stale_at real not null,
    delete_at real not null,
    primary key (api, url)
) strict;
