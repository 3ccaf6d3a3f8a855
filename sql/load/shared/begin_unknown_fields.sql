-- What this answer holds that the service does not document.
create or replace temp table unknown_field as
select
    case when getvariable('source') in ('export', 'walk', 'file') then 'history' else getvariable('source') end as source,
    getvariable('kind') as kind,
    unnest(from_json(cast(? as varchar), '[{"field": "varchar", "records": "bigint"}]'), recursive := true)
