-- Every line of every load is accounted for, and every rejected line is kept.
-- Severity: error

with kept as (
    select
        load_id,
        count(*) as rejects
    from mart.fact_reject
    group by load_id
)

select
    l.load_id,
    l.lines,
    l.new_plays + l.changed + l.unchanged + l.duplicate + l.rejected + l.blank as lines_accounted_for,
    l.rejected,
    coalesce(k.rejects, 0) as rejects_kept
from mart.fact_load as l
left join kept as k on k.load_id = l.load_id
where
    l.lines <> l.new_plays + l.changed + l.unchanged + l.duplicate + l.rejected + l.blank
    or l.rejected <> coalesce(k.rejects, 0)
