-- Records alone remain, without what they were read from.
alter table core.play drop column line_hash;

alter table core.play drop column place_hash;

alter table core.play drop column item_hash;

delete from core.play
where first_load_id = getvariable('load_id') and zone_id = -1;
