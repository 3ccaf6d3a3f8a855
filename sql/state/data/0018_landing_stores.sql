-- What loads found out about histories, for planning the next collection.
create table zone_history (
    kind text not null,
    zone_id integer not null,
    records integer not null,
    records_per_day real not null, -- over the last 14 days
    primary key (kind, zone_id)
) strict;

-- Zones that occur in exports of a group.
create table exported_zone (
    group_id integer not null,
    zone_id integer not null,
    primary key (group_id, zone_id)
) strict;

-- Identifies this data folder in stores that it shares with others.
create table data_folder (
    id text not null,
    epoch text not null default '', -- of the loader's last acknowledgement, if it collects for one
    clock_offset_ms integer not null default 0 -- what its clock lacked to the service's in the last run
) strict;

-- Collectors of the store from which this data folder last loaded.
create table collector (
    name text primary key,
    host text not null,
    last_landing_at text, -- request time; null: none yet
    unfinished text not null -- JSON, as in run
) strict;
