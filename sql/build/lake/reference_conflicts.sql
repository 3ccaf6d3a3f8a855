-- Lines of reference files in which several machines contradict each other. `kind` is null where ids alone are unique;
-- dayparts have no ids, because their file counts as a whole.
--
-- Reads: lake.attribute, lake.campaign_target, lake.daypart, lake.group_name, lake.opening_hours, lake.zone_kind, lake.zone_time_zone
with time_zone as (
    select zone_id
    from lake.zone_time_zone
    group by zone_id
    having count(distinct time_zone) > 1
),

group_name as (
    select group_id
    from lake.group_name
    group by group_id
    having count(distinct group_name) > 1
),

hours_machine as (
    select
        zone_id,
        count(distinct machine) as machines
    from lake.opening_hours
    group by zone_id
),

hours as (
    select distinct o.zone_id
    from (
        select
            zone_id,
            count(*) as machines
        from (
            select distinct
                machine,
                zone_id,
                day_of_week,
                opens_secs,
                closes_secs
            from lake.opening_hours
        ) as line
        group by zone_id, day_of_week, opens_secs, closes_secs
    ) as o
    inner join hours_machine as m on m.zone_id = o.zone_id
    where o.machines < m.machines
),

kind_line as (
    select
        machine,
        zone_id,
        kind || ' ' || cast(valid_from as varchar) || ' to ' || cast(valid_to as varchar) as line
    from lake.zone_kind
),

kind_machine as (
    select
        zone_id,
        count(distinct machine) as machines
    from lake.zone_kind
    group by zone_id
),

zone_kind as (
    select distinct o.zone_id
    from (
        select
            zone_id,
            count(*) as machines
        from kind_line
        group by zone_id, line
    ) as o
    inner join kind_machine as m on m.zone_id = o.zone_id
    where o.machines < m.machines
),

attribute_line as (
    select
        machine,
        subject,
        subject_key,
        name || ' ' || value || ' ' || cast(valid_from as varchar) || ' to ' || cast(valid_to as varchar) as line
    from lake.attribute
),

attribute_machine as (
    select
        subject,
        count(distinct machine) as machines
    from lake.attribute
    group by subject
),

attribute as (
    select distinct
        o.subject,
        o.subject_key
    from (
        select
            subject,
            subject_key,
            count(*) as machines
        from attribute_line
        group by subject, subject_key, line
    ) as o
    inner join attribute_machine as m on m.subject = o.subject
    where o.machines < m.machines
),

target_line as (
    select
        machine,
        campaign_key,
        cast(valid_from as varchar) || ' to ' || cast(valid_to as varchar)
        || coalesce(', plays ' || cast(plays as varchar), '')
        || coalesce(
            ', plays_per_zone_day ' || cast(cast(floor(cast(cast(round(plays_per_zone_day * 1000000) as bigint) as double) / 1000000) as bigint) as varchar)
            || '.' || lpad(cast(cast(round(plays_per_zone_day * 1000000) as bigint) % 1000000 as varchar), 6, '0'),
            ''
        )
        || coalesce(
            ', compliance ' || cast(cast(floor(cast(cast(round(compliance * 1000000) as bigint) as double) / 1000000) as bigint) as varchar)
            || '.' || lpad(cast(cast(round(compliance * 1000000) as bigint) % 1000000 as varchar), 6, '0'),
            ''
        ) as line
    from lake.campaign_target
),

target_machine as (
    select
        campaign_key,
        count(distinct machine) as machines
    from lake.campaign_target
    group by campaign_key
),

target as (
    select distinct o.campaign_key
    from (
        select
            campaign_key,
            count(*) as machines
        from target_line
        group by campaign_key, line
    ) as o
    inner join target_machine as m on m.campaign_key = o.campaign_key
    where o.machines < m.machines
),

daypart_machine as (
    select count(distinct machine) as machines
    from lake.daypart
),

daypart as (
    select count(*) as different
    from (
        select count(*) as machines
        from lake.daypart
        group by name, from_secs, to_secs
    ) as o
    cross join daypart_machine as m
    where o.machines < m.machines
),

daypart_text as (
    select
        machine,
        name || ' '
        || lpad(cast(cast(floor(cast(from_secs as double) / 3600) as integer) as varchar), 2, '0') || ':'
        || lpad(cast(cast(floor(cast(from_secs % 3600 as double) / 60) as integer) as varchar), 2, '0') || '-'
        || lpad(cast(cast(floor(cast(to_secs as double) / 3600) as integer) as varchar), 2, '0') || ':'
        || lpad(cast(cast(floor(cast(to_secs % 3600 as double) / 60) as integer) as varchar), 2, '0') as value
    from lake.daypart
),

-- Closing times after midnight are written as 24:00 and later.
hours_text as (
    select
        machine,
        zone_id,
        day_of_week,
        lpad(cast(cast(floor(cast(opens_secs as double) / 3600) as integer) as varchar), 2, '0') || ':'
        || lpad(cast(cast(floor(cast(opens_secs % 3600 as double) / 60) as integer) as varchar), 2, '0') as opens,
        lpad(cast(cast(floor(cast(closes_secs as double) / 3600) as integer) as varchar), 2, '0') || ':'
        || lpad(cast(cast(floor(cast(closes_secs % 3600 as double) / 60) as integer) as varchar), 2, '0') as closes
    from lake.opening_hours
)

select
    'zone_time_zones.csv' as file,
    cast(null as varchar) as kind,
    s.zone_id as id,
    s.machine,
    s.time_zone as value
from lake.zone_time_zone as s
inner join time_zone as c on c.zone_id = s.zone_id
union all
select
    'group_names.csv' as file,
    cast(null as varchar) as kind,
    s.group_id as id,
    s.machine,
    s.group_name as value
from lake.group_name as s
inner join group_name as c on c.group_id = s.group_id
union all
select
    'opening_hours.csv' as file,
    cast(null as varchar) as kind,
    s.zone_id as id,
    s.machine,
    cast(s.day_of_week as varchar) || ' ' || s.opens || '-' || s.closes as value
from hours_text as s
inner join hours as c on c.zone_id = s.zone_id
union all
select
    'zone_kinds.csv' as file,
    cast(null as varchar) as kind,
    s.zone_id as id,
    s.machine,
    s.line as value
from kind_line as s
inner join zone_kind as c on c.zone_id = s.zone_id
union all
select
    'dayparts.csv' as file,
    cast(null as varchar) as kind,
    cast(null as bigint) as id,
    s.machine,
    s.value
from daypart_text as s
inner join daypart as c on c.different > 0
union all
select
    'campaign_targets.csv' as file,
    case s.campaign_key % 4 when 1 then 'signage' else 'messaging' end as kind,
    cast(floor(cast(s.campaign_key as double) / 4) as bigint) as id,
    s.machine,
    s.line as value
from target_line as s
inner join target as c on c.campaign_key = s.campaign_key
union all
select
    s.subject || '_attributes.csv' as file,
    case
        when s.subject not in ('campaign', 'item') then cast(null as varchar)
        when s.subject_key % 4 = 0 then 'music'
        when s.subject_key % 4 = 1 then 'signage'
        else 'messaging'
    end as kind,
    case
        when s.subject in ('campaign', 'item') then cast(floor(cast(s.subject_key as double) / 4) as bigint)
        else s.subject_key
    end as id,
    s.machine,
    s.line as value
from attribute_line as s
inner join attribute as c on c.subject = s.subject and c.subject_key = s.subject_key
order by 1, 2, 3, 4, 5
