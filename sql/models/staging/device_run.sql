-- One row per device and unbroken span in one state, as shown by its snapshots. Between two consecutive snapshots a and
-- b, L is the last time online reported by b, clamped to the two, and G the longest time for which a state is assumed
-- to last:
--
--   up, up         up if b - a <= G, else unknown
--   up, down       up before L if L - a <= G, else unknown; down from L on
--   down, down     unknown before L, down from L on
--   down, up       down if b - a <= G, else unknown
--   else           unknown, as when L or G is needed and missing
--
-- Time before the first snapshot and after the last is excluded. Time between two snapshots belongs to the zone of the
-- first.
--
-- Grain: device_id, from_at
-- Reads: staging.device_counted, staging.device_snapshot
-- Built: whole
-- Columns:
--   device_id   The device.
--   zone_id     The device's zone at the time.
--   state       up, down or unknown.
--   from_at     Start of the span, in UTC.
--   until_at    End of the span, exclusive.

with pair as (
    select
        device_id,
        zone_id,
        state as state_a,
        seen_at as a,
        lead(state) over (partition by device_id order by seen_at) as state_b,
        lead(seen_at) over (partition by device_id order by seen_at) as b,
        lead(last_online_at) over (partition by device_id order by seen_at) as last_online_at,
        lead(max_gap_seconds) over (partition by device_id order by seen_at) as g
    from staging.device_snapshot
),

clamped as (
    select
        device_id,
        zone_id,
        state_a,
        state_b,
        a,
        b,
        case
            when last_online_at < a then a
            when last_online_at > b then b
            else last_online_at
        end as l,
        g
    from pair
    where b is not null
),

-- Each span between snapshots has one state up to cut_at, and is down from then until b.
cut as (
    select
        device_id,
        zone_id,
        a,
        b,
        case when state_a in ('up', 'down') and state_b = 'down' and l is not null then l else b end as cut_at,
        case
            when state_a = 'up' and state_b = 'up' and date_diff('second', a, b) <= g then 'up'
            when state_a = 'up' and state_b = 'down' and date_diff('second', a, l) <= g then 'up'
            when state_a = 'down' and state_b = 'up' and date_diff('second', a, b) <= g then 'down'
            else 'unknown'
        end as state_before
    from clamped
),

piece as (
    select
        device_id,
        zone_id,
        state_before as state,
        a as from_at,
        cut_at as until_at
    from cut
    where a < cut_at
    union all
    select
        device_id,
        zone_id,
        'down' as state,
        cut_at as from_at,
        b as until_at
    from cut
    where cut_at < b
),

counted as (
    select
        p.device_id,
        p.zone_id,
        p.state,
        p.from_at,
        case when p.until_at > c.counted_until then c.counted_until else p.until_at end as until_at
    from piece as p
    inner join staging.device_counted as c on c.device_id = p.device_id and p.from_at < c.counted_until
),

-- A new run starts when the device's state or zone changes.
marked as (
    select
        counted.*,
        case
            when lag(state) over (partition by device_id order by from_at) = state
                and lag(zone_id) over (partition by device_id order by from_at) = zone_id
                then 0
            else 1
        end as begins
    from counted
),

numbered as (
    select
        marked.*,
        cast(sum(begins) over (partition by device_id order by from_at) as bigint) as run_number
    from marked
)

select
    device_id,
    zone_id,
    state,
    min(from_at) as from_at,
    max(until_at) as until_at
from numbered
group by device_id, zone_id, state, run_number
