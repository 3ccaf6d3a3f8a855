-- Whether given hours closed the day, which is the reason of its campaign days.
alter table core.built_zone_day add column is_closed_by_hours boolean;
