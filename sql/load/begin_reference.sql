create or replace temp table reference_row (
    id bigint not null,
    value varchar not null
)
