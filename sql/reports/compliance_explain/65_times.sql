-- The times of day in the rule, each with the first candidate play from then on.

with p as ({{cell}}),

timed as (
    select
        t.due_secs,
        t.is_due,
        t.is_met,
        t.shown_secs > t.due_secs as is_skipped,
        cast(timestamp '1970-01-01 00:00:00' + t.shown_secs * interval '1' second as timestamp(6)) as shown_at,
        cast(timestamp '1970-01-01 00:00:00' + t.due_secs * interval '1' second as timestamp(6)) as due_at,
        cast(timestamp '1970-01-01 00:00:00' + t.next_play_secs * interval '1' second as timestamp(6)) as next_play_at
    from p
    inner join staging.campaign_time as t
        on t.kind = p.kind and t.campaign_key = p.campaign_key and t.zone_id = p.zone_id and t.date = p.date
)

select
    'times' as section,
    substr(cast(t.due_at as varchar), 12, 5) as subject,
    case when not t.is_due then 'not due' when t.is_met then 'met' else 'not met' end as value,
    case
        when t.is_skipped
            then 'the clock skips this time: ' || substr(cast(t.shown_at as varchar), 12, 5) || ' is used instead; '
        else ''
    end
    || case
        when not t.is_due then 'the zone is closed at this time'
        when t.next_play_at is null then 'no candidate play began at or after this time'
        else
            'the next candidate play began at ' || substr(cast(t.next_play_at as varchar), 12, 8) || '; a play within '
            || cast(coalesce(i.slot_minutes, 60) as varchar) || ' minutes meets the time'
    end as note
from timed as t
cross join mart_info as i
order by t.due_secs
