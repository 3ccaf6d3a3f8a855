-- Bodies are bytes, not text: each opening looks through all text of the file for what is not UTF-8. They stand last, so that
-- whatever reads the other columns need not pass through them.
drop table kept_answer;

create table kept_answer (
    api text not null, -- whose answers they are: clients share none
    url text not null,
    bytes integer not null, -- of the body
    headers text not null, -- JSON: those of the answer that matter
    vary text, -- JSON: request headers that another request must have alike
    etag text,
    directives text not null, -- JSON: its Cache-Control
    -- Milliseconds since 1970.
    kept_at real not null,
    stale_at real not null,
    delete_at real not null,
    sha256 text not null, -- of the body
    body blob not null, -- UTF-8
    primary key (api, url)
) strict;
