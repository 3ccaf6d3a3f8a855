-- Machines that have left the lake since the version that readers see: what they had was taken back on purpose, also
-- where a build that took it back was cut off before it published.
create table core.lake_gone (
    machine varchar not null
);
