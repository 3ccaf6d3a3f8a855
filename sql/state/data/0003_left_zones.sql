-- Zones that left their group's devices listing: what they played until then may still come.

alter table group_zone add column left_at text; -- in data's time, of the first listing without it; null: listed
