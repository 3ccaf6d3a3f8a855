-- One row per zone, attribute and range of local dates with one value. A zone without a value on a date has the value
-- of its location.
--
-- Grain: zone_id, attribute_name, valid_from
-- Reads: core.attribute, mart.dim_zone
-- Built: whole
-- Columns:
--   zone_id           = dim_zone.zone_id: The zone, which may be unknown.
--   attribute_name    Attribute (text): Column of reference/zone_attributes.csv or reference/location_attributes.csv.
--   attribute_value   Value (text): Value as written in the file.
--   valid_from        Valid from (date): First local date with this value. Note: 1900-01-01 if the range has no start.
--   valid_to          Valid to (date): Last local date with this value. Note: 2099-12-31 if the range has no end.

with own as (
    select
        subject_key as zone_id,
        name,
        value,
        valid_from,
        valid_to
    from core.attribute
    where subject = 'zone'
),

-- Ranges in which the zone itself has no value: before its first one, between two, and after its last one.
gap as (
    select
        zone_id,
        name,
        coalesce(
            cast(lag(valid_to) over (partition by zone_id, name order by valid_from) + interval '1' day as date),
            date '1900-01-01'
        ) as gap_from,
        cast(valid_from - interval '1' day as date) as gap_to
    from own
    union all
    select
        zone_id,
        name,
        cast(max(valid_to) + interval '1' day as date) as gap_from,
        date '2099-12-31' as gap_to
    from own
    group by zone_id, name
),

inherited as (
    select
        z.zone_id,
        a.name,
        a.value,
        a.valid_from,
        a.valid_to
    from core.attribute as a
    inner join mart.dim_zone as z on z.location_id = a.subject_key
    where a.subject = 'location'
),

owner as (
    select distinct
        zone_id,
        name
    from own
)

select
    zone_id,
    name as attribute_name,
    value as attribute_value,
    valid_from,
    valid_to
from own
union all
select
    i.zone_id,
    i.name as attribute_name,
    i.value as attribute_value,
    case when g.gap_from > i.valid_from then g.gap_from else i.valid_from end as valid_from,
    case when g.gap_to < i.valid_to then g.gap_to else i.valid_to end as valid_to
from inherited as i
left join owner as o on o.zone_id = i.zone_id and o.name = i.name
left join gap as g on g.zone_id = i.zone_id and g.name = i.name
where
    o.zone_id is null
    or (g.gap_from <= g.gap_to and g.gap_from <= i.valid_to and i.valid_from <= g.gap_to)
