-- Fields that the service sends and its documentation does not name, over all answers of a source and kind.
create table core.unknown_field (
    source varchar not null, -- history, devices, campaigns, assets, notices or components
    kind varchar not null, -- '' where the source has none
    field varchar not null, -- a field within another one as outer.inner
    answers bigint not null, -- loads and snapshots that held it
    records bigint not null, -- of those that were looked at, over these answers
    first_seen_at timestamp not null, -- requested_at of the first of them
    last_seen_at timestamp not null
);
