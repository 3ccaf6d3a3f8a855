-- Whether the zone was closed that day by its given opening hours, as of the last build.
alter table core.built_zone_day add column is_closed_by_hours boolean;
