-- Changed days that a consumer has not taken yet. Loads mark days in core.dirty_…; whoever takes marks first hands them
-- to all consumers, so that none misses what another one took.
create table core.pending_day (
    consumer varchar not null, -- build, or core: the publishing of core
    topic varchar not null, -- plays, campaigns or devices
    kind varchar not null,
    date date not null
);

-- The version of core that was published last. One row at most.
create table core.published_core (
    id varchar not null
);

