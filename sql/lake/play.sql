-- One row per play whose local date on any machine is between the two parameters. Callers request two more days on both
-- sides than they need, because machines may disagree on a play's date. If several machines have a play, it is merged
-- the same way as in repeated loads on one machine: the longest duration wins, with its artist, and other columns come
-- from the last load. Local times are in the zone's named time zone, even if the machine had none or a different one.
--
-- Only zones with days on several machines are merged. If only one machine has days for a zone, the others can only
-- have plays of zero seconds there, which no model reads.
--
-- Reads: core.zone_time_zone, lake.load, lake.play, lake.zone_day, lake.zone_time_zone

with shared_zone as (
    select zone_id
    from lake.zone_day
    group by zone_id
    having count(distinct machine) > 1
),

seen as (
    select
        p.machine,
        p.kind,
        p.zone_id,
        p.item_id,
        p.played_at,
        case
            when o.time_zone is not distinct from t.time_zone then p.played_at_local
            else cast(at_timezone(with_timezone(p.played_at, 'UTC'), t.time_zone) as timestamp(6))
        end as played_at_local,
        p.written_offset_minutes,
        p.duration_secs,
        p.location_id,
        p.artist_id,
        p.first_load_id,
        p.last_load_id,
        s.zone_id is not null as is_shared
    from lake.play as p
    left join lake.zone_time_zone as o on o.machine = p.machine and o.zone_id = p.zone_id
    left join core.zone_time_zone as t on t.zone_id = p.zone_id
    left join shared_zone as s on s.zone_id = p.zone_id
    where p.date between cast(? as date) and cast(? as date)
),

ranked as (
    select
        s.*,
        row_number() over (
            partition by s.kind, s.zone_id, s.played_at, s.item_id
            order by l.loaded_at desc, l.requested_at desc, s.machine
        ) as newest,
        row_number() over (
            partition by s.kind, s.zone_id, s.played_at, s.item_id
            order by f.loaded_at, f.requested_at, s.machine
        ) as oldest,
        max(s.duration_secs) over (partition by s.kind, s.zone_id, s.played_at, s.item_id) as longest_secs
    from seen as s
    inner join lake.load as l on l.load_id = s.last_load_id
    inner join lake.load as f on f.load_id = s.first_load_id
    where s.is_shared
),

located as (
    select
        ranked.*,
        min(case when location_id is not null then newest end) over (
            partition by kind, zone_id, played_at, item_id
        ) as newest_located
    from ranked
),

merged as (
    select
        kind,
        zone_id,
        item_id,
        played_at,
        max(case when newest = 1 then played_at_local end) as played_at_local,
        max(case when newest = 1 then written_offset_minutes end) as written_offset_minutes,
        max(duration_secs) as duration_secs,
        max(case when newest = newest_located then location_id end) as location_id,
        min(case when duration_secs = longest_secs then artist_id end) as artist_id,
        max(case when oldest = 1 then first_load_id end) as first_load_id,
        max(case when newest = 1 then last_load_id end) as last_load_id
    from located
    group by kind, zone_id, item_id, played_at
),

play as (
    select
        kind,
        zone_id,
        item_id,
        played_at,
        played_at_local,
        written_offset_minutes,
        duration_secs,
        location_id,
        artist_id,
        first_load_id,
        last_load_id
    from seen
    where not is_shared
    union all
    select
        kind,
        zone_id,
        item_id,
        played_at,
        played_at_local,
        written_offset_minutes,
        duration_secs,
        location_id,
        artist_id,
        first_load_id,
        last_load_id
    from merged
)

select
    kind,
    zone_id,
    item_id,
    played_at,
    played_at_local,
    cast(floor(cast(date_diff('second', played_at, played_at_local) as double) / 60) as integer) as utc_offset_minutes,
    written_offset_minutes,
    cast(played_at_local as date) as date,
    duration_secs,
    location_id,
    artist_id,
    first_load_id,
    last_load_id
from play
