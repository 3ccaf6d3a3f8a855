-- One row per kind, zone, local day, campaign and time of day in the campaign's rule: whether the time was due,
-- and whether it was met by a candidate play that began then or less than VENUE_SLOT_MINUTES later on the same local
-- day. Times follow the zone's clock; if it changes, they are compared by the clock at the start of the day
-- (mart.fact_clock_change).
--
-- Grain: kind, zone_id, date, campaign_key, due_secs
-- Reads: mart.fact_clock_change, mart.fact_play, mart.fact_rule_date, mart.fact_rule_ended_day, mart.fact_zone_hours, mart.mart_info, staging.linked_day, staging.listed_day, staging.rule_time
-- Built: view
-- Without views: day of campaigns
-- Columns:
--   kind             signage or messaging.
--   zone_id          The zone.
--   date             Local day.
--   campaign_key     The campaign (dim_campaign).
--   due_secs         Time in the rule, in seconds since midnight.
--   shown_secs       Time that the clock shows; later if a clock change skips due_secs.
--   is_due           The zone is open at this time.
--   next_play_secs   Start of the day's first candidate play at or after this time; null: none.
--   is_met           The time is due, and the next play began less than VENUE_SLOT_MINUTES later.

with setting as (
    select coalesce(max(slot_minutes), 60) * 60 as slot_secs
    from mart.mart_info
),

named as (
    select distinct
        l.kind,
        l.zone_id,
        l.date,
        l.campaign_key,
        t.due_secs,
        u.until_secs
    from staging.listed_day as l
    inner join mart.fact_rule_date as o on o.rule_id = l.rule_id and o.date = l.date
    inner join staging.rule_time as t on t.time_set = o.time_set
    left join mart.fact_rule_ended_day as u on u.rule_id = l.rule_id and u.zone_id = l.zone_id and u.date = l.date
    where l.is_at_start and l.is_fit
),

clocked as (
    select
        n.kind,
        n.zone_id,
        n.date,
        n.campaign_key,
        n.due_secs,
        n.until_secs,
        n.due_secs - case
            when n.due_secs >= c.resumes_secs then c.change_secs
            else 0
        end as secs,
        n.due_secs + case
            when n.due_secs >= c.from_secs and n.due_secs < c.from_secs + c.change_secs then c.change_secs
            else 0
        end as shown_secs
    from named as n
    left join mart.fact_clock_change as c on c.zone_id = n.zone_id and c.date = n.date
),

scheduled as (
    select distinct
        kind,
        zone_id,
        date,
        campaign_key,
        due_secs,
        secs,
        shown_secs
    from clocked
    where until_secs is null or secs <= until_secs
),

open_span as (
    select
        h.zone_id,
        h.date,
        h.opens_secs - case
            when h.opens_secs >= c.resumes_secs then c.change_secs
            else 0
        end as opens_secs,
        h.closes_secs - case
            when h.closes_secs >= c.resumes_secs then c.change_secs
            else 0
        end as closes_secs
    from mart.fact_zone_hours as h
    left join mart.fact_clock_change as c on c.zone_id = h.zone_id and c.date = h.date
),

timed as (
    select
        s.kind,
        s.zone_id,
        s.date,
        s.campaign_key,
        s.due_secs,
        s.secs,
        s.shown_secs,
        count(h.zone_id) > 0 as is_due
    from scheduled as s
    left join open_span as h
        on h.zone_id = s.zone_id and h.date = s.date and h.opens_secs <= s.secs and h.closes_secs > s.secs
    group by s.kind, s.zone_id, s.date, s.campaign_key, s.due_secs, s.secs, s.shown_secs
),

campaign as (
    select distinct
        kind,
        zone_id,
        date,
        campaign_key
    from scheduled
),

asset as (
    select distinct
        l.kind,
        l.zone_id,
        l.date,
        l.campaign_key,
        l.item_key
    from staging.linked_day as l
    inner join campaign as c
        on c.kind = l.kind and c.zone_id = l.zone_id and c.date = l.date and c.campaign_key = l.campaign_key
    where l.is_in_day
),

-- A time sorts before a play that begins in the same second.
moment as (
    select
        kind,
        zone_id,
        date,
        campaign_key,
        secs,
        0 as is_play,
        cast(null as bigint) as play_secs,
        due_secs,
        shown_secs,
        is_due
    from timed
    union all
    select
        a.kind,
        a.zone_id,
        a.date,
        a.campaign_key,
        date_diff('second', cast(f.date as timestamp(6)), f.played_at_local)
        - coalesce(f.utc_offset_minutes * 60 - c.offset_before_secs, 0) as secs,
        1 as is_play,
        date_diff('second', cast(f.date as timestamp(6)), f.played_at_local)
        - coalesce(f.utc_offset_minutes * 60 - c.offset_before_secs, 0) as play_secs,
        cast(null as bigint) as due_secs,
        cast(null as bigint) as shown_secs,
        false as is_due
    from asset as a
    inner join mart.fact_play as f on f.zone_id = a.zone_id and f.date = a.date and f.item_key = a.item_key
    left join mart.fact_clock_change as c on c.zone_id = a.zone_id and c.date = a.date
),

followed as (
    select
        moment.*,
        min(play_secs) over (
            partition by kind, zone_id, date, campaign_key
            order by secs, is_play
            rows between current row and unbounded following
        ) as next_secs
    from moment
)

select
    f.kind,
    f.zone_id,
    f.date,
    f.campaign_key,
    f.due_secs,
    f.shown_secs,
    f.is_due,
    f.next_secs + case when f.next_secs >= c.from_secs then c.change_secs else 0 end as next_play_secs,
    f.is_due and coalesce(f.next_secs < f.secs + s.slot_secs, false) as is_met
from followed as f
cross join setting as s
left join mart.fact_clock_change as c on c.zone_id = f.zone_id and c.date = f.date
where f.is_play = 0
