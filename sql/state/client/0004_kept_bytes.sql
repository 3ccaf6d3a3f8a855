-- Bodies are bytes, not text: that database files hold no text which is not UTF-8 is looked at whenever one is opened.
drop table kept_answer;

create table kept_answer (
    api text not null,
    url text not null,
    body blob not null, -- UTF-8
    bytes integer not null,
    headers text not null,
    vary text,
    etag text,
    directives text not null,
    kept_at real not null,
    stale_at real not null,
    delete_at real not null,
    primary key (api, url)
) strict;
