with merged as (
    select
        count(*) filter (where is_new) as new_plays,
        count(*) filter (where is_changed) as changed,
        count(*) as records
    from compared
),

staged as (
    select coalesce(sum(lines), 0) as lines
    from incoming
),

known as (
    select
        coalesce(sum(lines), 0) as lines,
        coalesce(sum(records), 0) as records
    from known_day
)

select
    m.new_plays as "newPlays",
    m.changed,
    m.records - m.new_plays - m.changed + k.records as unchanged,
    s.lines - m.records + k.lines - k.records as duplicate
from merged as m
cross join staged as s
cross join known as k
