-- What was loaded per zone and written date, and, to know it again, what its lines were. Not remembered are dates
-- of which a line was refused or mended, and those that are entangled with others: they are looked at every time.
create or replace temp table loaded_day as
with day as (
    select
        zone_id,
        written_on as date,
        cast(sum(records) as bigint) as records,
        cast(sum(zero_second) as bigint) as zero_second,
        min(first_two[1]) as first_at
    from record_group
    group by zone_id, written_on
),

beginning as (
    select
        zone_id,
        written_on as date,
        unnest(first_two) as played_at
    from record_group
),

-- More than one is a reason to count them.
first_seen as (
    select
        d.zone_id,
        d.date,
        d.first_at,
        count(*) as first_records
    from day as d
    inner join beginning as b on b.zone_id = d.zone_id and b.date = d.date and b.played_at = d.first_at
    group by d.zone_id, d.date, d.first_at
),

counted as (
    select
        s.zone_id,
        s.date,
        count(*) as first_records
    from loaded_record as l
    inner join first_seen as s
        on s.zone_id = l.zone_id
        and s.first_at = l.played_at
        and s.date = written_date(l.played_at, l.written_offset_minutes)
    where s.first_records > 1
    group by s.zone_id, s.date
)

select
    d.*,
    coalesce(c.first_records, 1) as first_records
from day as d
left join counted as c on c.zone_id = d.zone_id and c.date = d.date;

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
