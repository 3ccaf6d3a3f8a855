-- What the version that is being built says otherwise than the one published before it, among days up to the
-- last published one of their kind. Reads core.published_day, core.unpublished_day, core.version, mart.fact_play_day.
with last_published as (
    select
        kind,
        max(date) as date
    from core.published_day
    group by kind
),

after as (
    select
        f.kind,
        f.date,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds
    from mart.fact_play_day as f
    inner join core.unpublished_day as u on u.kind = f.kind and u.date = f.date
    group by f.kind, f.date
)

select
    v.version,
    u.kind,
    u.date,
    coalesce(b.plays, 0) as plays_before,
    coalesce(a.plays, 0) as plays_after,
    cast(0 as bigint) as states_changed
from core.unpublished_day as u
cross join core.version as v
inner join last_published as l on l.kind = u.kind and u.date <= l.date
left join core.published_day as b on b.kind = u.kind and b.date = u.date
left join after as a on a.kind = u.kind and a.date = u.date
where
    v.published_at is null
    and (coalesce(a.plays, 0) <> coalesce(b.plays, 0) or coalesce(a.play_seconds, 0) <> coalesce(b.play_seconds, 0))
