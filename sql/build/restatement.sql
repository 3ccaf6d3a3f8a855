-- What the version that is being built says otherwise than the one published before it. A day after the last one with
-- published plays of its kind is new, unless a cell of it was published. A cell that was pending said nothing yet.
--
-- Reads: core.published_cell, core.published_day, core.unpublished_campaign_day, core.unpublished_day, core.version,
--   mart.fact_campaign_zone_day, mart.fact_play_zone_day
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
    from mart.fact_play_zone_day as f
    inner join core.unpublished_day as u on u.kind = f.kind and u.date = f.date
    group by f.kind, f.date
),

cell_after as (
    select
        f.campaign_key,
        f.kind,
        f.zone_id,
        f.date,
        f.state
    from mart.fact_campaign_zone_day as f
    inner join core.unpublished_campaign_day as u on u.kind = f.kind and u.date = f.date
),

changed_cells as (
    select
        coalesce(a.kind, b.kind) as kind,
        coalesce(a.date, b.date) as date,
        count(*) as states_changed,
        count(b.state) as states_published
    from cell_after as a
    full join core.published_cell as b
        on b.campaign_key = a.campaign_key and b.zone_id = a.zone_id and b.date = a.date
    where
        a.state is distinct from b.state
        and coalesce(b.state, '') <> 'pending'
        and not (b.state is null and a.state = 'pending')
    group by coalesce(a.kind, b.kind), coalesce(a.date, b.date)
),

day as (
    select kind, date
    from core.unpublished_day
    union
    select kind, date
    from changed_cells
)

select
    v.version,
    d.kind,
    d.date,
    coalesce(b.plays, 0) as plays_before,
    case when u.kind is null then coalesce(b.plays, 0) else coalesce(a.plays, 0) end as plays_after,
    coalesce(c.states_changed, 0) as states_changed
from day as d
cross join core.version as v
left join last_published as l on l.kind = d.kind
left join core.unpublished_day as u on u.kind = d.kind and u.date = d.date
left join core.published_day as b on b.kind = d.kind and b.date = d.date
left join after as a on a.kind = d.kind and a.date = d.date
left join changed_cells as c on c.kind = d.kind and c.date = d.date
where
    v.published_at is null
    and (d.date <= l.date or c.states_published > 0)
    and (
        c.states_changed > 0
        or (
            u.kind is not null
            and (
                coalesce(a.plays, 0) <> coalesce(b.plays, 0)
                or coalesce(a.play_seconds, 0) <> coalesce(b.play_seconds, 0)
            )
        )
    )
