-- Rejected lines, latest load first, each with the total number of matches.
-- Reads: core.load, core.reject
-- Leaves: nothing
with p as (
    select
        cast(? as bigint) as load_id, -- null: any load
        cast(? as varchar) as reason, -- null: any reason
        cast(? as bigint) as row_limit
)

select
    r.load_id,
    l.kind || ' ' || l.source || coalesce(' of group ' || l.group_id, '') || coalesce(' of zone ' || l.zone_id, '') as source,
    l.loaded_at,
    r.line_number,
    r.reason,
    r.line,
    count(*) over () as total
from p
cross join core.reject as r
inner join core.load as l on l.load_id = r.load_id
where
    (p.load_id is null or r.load_id = p.load_id)
    and (p.reason is null or r.reason = p.reason)
order by r.load_id desc, r.line_number
limit (select row_limit from p)
