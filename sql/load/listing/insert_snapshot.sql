insert into core.snapshot by name
select
    getvariable('snapshot_id') as snapshot_id,
    cast(? as varchar) as landing_id,
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('group_id') as group_id,
    getvariable('zone_id') as zone_id,
    getvariable('requested_at') as requested_at,
    cast(? as timestamp) as loaded_at,
    cast(? as bigint) as records,
    cast(? as bigint) as rejected
