-- What a run that collected could not do, as reports say it; until now it was read out of what the run printed.

alter table run add column unfinished text; -- JSON: subject, value and note of each; null: it did not come to its end

update run set unfinished = (
    select json_group_array(json_object('subject', subject, 'value', value, 'note', note))
    from (
        select item.value ->> 'source' as subject, 'failed' as value, item.value ->> 'error' as note
        from json_each(coalesce(run.summary -> 'sync', run.summary), '$.failures') as item
        union all
        select item.value ->> 'source', 'incomplete', item.value ->> 'why'
        from json_each(coalesce(run.summary -> 'sync', run.summary), '$.incomplete') as item
        union all
        select 'the last sync', 'stopped', 'its time was over; the next one goes on'
        where coalesce(run.summary -> 'sync', run.summary) ->> 'is_stopped'
    )
)
where summary is not null
    and (command in ('sync', 'run') or command like 'sync %' or command like 'run %');
