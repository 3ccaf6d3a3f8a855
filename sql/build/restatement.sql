-- Settled days whose figures in the version being built differ from those in the previously published version. A day's
-- plays are settled in a version if the day had ended in every zone by the version's `data_as_of`. If only files
-- supplied plays of a kind, the last day with plays may be incomplete and is not settled. Campaign days are settled one
-- settle window later. A day after the last day with published plays of its kind is new and not restated, unless one
-- of its campaign days was published.
--
-- Reads: core.build_setting, core.published_cell, core.published_day, core.unpublished_campaign_day,
--   core.unpublished_day, core.version, core.zone_day, mart.fact_campaign_zone_day, mart.fact_freshness,
--   mart.fact_play_zone_day
with before as (
    select
        v.data_as_of,
        cast(v.data_as_of - s.settle_days * interval '1' day as timestamp(6)) as states_settled_until
    from core.version as v
    inner join (select max(version) as version from core.version where published_at is not null) as p
        on p.version = v.version
    cross join (
        select coalesce(max(cast(value as integer)), 3) as settle_days
        from core.build_setting
        where name = 'settle_days'
    ) as s
),

last_published as (
    select
        kind,
        max(date) as date
    from core.published_day
    group by kind
),

file_kind as (
    select distinct kind
    from mart.fact_freshness
    where source = 'file'
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

changed_cell as (
    select
        coalesce(a.kind, b.kind) as kind,
        coalesce(a.date, b.date) as date,
        b.state as state_before
    from cell_after as a
    full join core.published_cell as b
        on b.campaign_key = a.campaign_key and b.zone_id = a.zone_id and b.date = a.date
    where
        a.state is distinct from b.state
        and coalesce(b.state, '') <> 'pending'
        and not (b.state is null and a.state = 'pending')
),

day as (
    select kind, date
    from core.unpublished_day
    union
    select kind, date
    from changed_cell
),

-- A date without zone days ends 12 hours after its end in UTC, when it ends in the westernmost time zone.
day_end as (
    select
        d.date,
        coalesce(max(z.end_at), cast(d.date as timestamp(6)) + interval '36' hour) as end_at
    from (select distinct date from day) as d
    left join core.zone_day as z on z.date = d.date
    group by d.date
),

-- Any previous state except `unscheduled` proves that the settle window had passed.
changed as (
    select
        c.kind,
        c.date,
        count(*) as states_changed,
        count(c.state_before) as states_published
    from changed_cell as c
    inner join day_end as e on e.date = c.date
    cross join before as v
    where coalesce(c.state_before, 'unscheduled') <> 'unscheduled' or e.end_at <= v.states_settled_until
    group by c.kind, c.date
)

select
    v.version,
    d.kind,
    d.date,
    coalesce(b.plays, 0) as plays_before,
    case when u.kind is null then coalesce(b.plays, 0) else coalesce(a.plays, 0) end as plays_after,
    coalesce(c.states_changed, 0) as states_changed
from day as d
inner join day_end as e on e.date = d.date
cross join core.version as v
cross join before as s
left join last_published as l on l.kind = d.kind
left join file_kind as f on f.kind = d.kind
left join core.unpublished_day as u on u.kind = d.kind and u.date = d.date
left join core.published_day as b on b.kind = d.kind and b.date = d.date
left join after as a on a.kind = d.kind and a.date = d.date
left join changed as c on c.kind = d.kind and c.date = d.date
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
            and e.end_at <= s.data_as_of
            and (f.kind is null or d.date < l.date)
        )
    )
