-- What applying a reference file works with, beside declare/shared.sql.

-- The lines of the file; each file has columns of its own.
create or replace temp table reference_row (
    id bigint not null, -- of a zone or group
    value varchar, -- a time zone or name
    day_of_week integer,
    opens_secs integer,
    closes_secs integer
);

-- Plays whose local time becomes another one.
create or replace temp table moved_play (
    stored_row bigint not null,
    kind varchar not null,
    played_at timestamp not null,
    stored_date date not null,
    played_at_local timestamp not null,
    date date not null
);
