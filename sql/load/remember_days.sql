-- What was loaded per zone and written date, and, to know it again, what its lines were. Not remembered are dates
-- of which a line was refused or mended, and those that are entangled with others: they are looked at every time.
create or replace temp table loaded_day as
with loaded as (
    select
        *,
        written_date(played_at, written_offset_minutes) as written_on
    from loaded_record
),

day as (
    select
        zone_id,
        written_on as date,
        count(*) as records,
        count_if(duration_secs = 0) as zero_second,
        min(played_at) as first_at
    from loaded
    group by zone_id, written_on
),

first_record as (
    select
        d.zone_id,
        d.date,
        count(*) as first_records
    from day as d
    inner join loaded as l on l.zone_id = d.zone_id and l.written_on = d.date and l.played_at = d.first_at
    group by d.zone_id, d.date
)

select
    d.*,
    f.first_records
from day as d
inner join first_record as f on f.zone_id = d.zone_id and f.date = d.date;

create or replace temp table line_day as
select
    zone_id,
    day,
    cast(sum(lines) as bigint) as lines,
    sum(hash) as hash,
    sum(sound_lines) = sum(lines) and not bool_or(is_mended) as is_whole
from line_group
where is_by_zone and zone_id is not null and day is not null
group by zone_id, day;

delete from core.day_fingerprint
using line_day as l
where
    day_fingerprint.kind = getvariable('kind')
    and cast(day_fingerprint.zone_id as varchar) = l.zone_id
    and cast(day_fingerprint.date as varchar) = l.day;

insert into core.day_fingerprint
select
    getvariable('kind') as kind,
    d.zone_id,
    d.date,
    l.lines,
    l.hash,
    d.records,
    d.zero_second,
    d.first_at,
    d.first_records,
    version() as hashed_by
from loaded_day as d
inner join line_day as l on l.zone_id = cast(d.zone_id as varchar) and l.day = cast(d.date as varchar)
anti join entangled_day as e on e.zone_id = d.zone_id and e.date = d.date
where l.is_whole;
