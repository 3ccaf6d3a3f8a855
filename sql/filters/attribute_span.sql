-- Values of the chosen attributes: one row per zone, campaign or item with any value, and range of days with the same
-- values. The ranges together cover the period, or, in a report without a period, the day of the data.
--
-- Reads: bridge_campaign_attribute, bridge_item_attribute, bridge_zone_attribute, mart_info, p, slot

with bridge as (
    select
        'zone' as subject,
        zone_id as subject_key,
        attribute_name,
        attribute_value,
        valid_from,
        valid_to
    from bridge_zone_attribute
    union all
    select
        'campaign' as subject,
        campaign_key as subject_key,
        attribute_name,
        attribute_value,
        valid_from,
        valid_to
    from bridge_campaign_attribute
    union all
    select
        'item' as subject,
        item_key as subject_key,
        attribute_name,
        attribute_value,
        valid_from,
        valid_to
    from bridge_item_attribute
),

chosen_value as (
    select
        b.*,
        s.slot
    from slot as s
    inner join bridge as b on b.subject = s.subject and b.attribute_name = s.attribute_name
),

cut as (
    select
        subject,
        subject_key,
        date '1900-01-01' as slot_from
    from chosen_value
    union
    select
        subject,
        subject_key,
        valid_from as slot_from
    from chosen_value
    union
    select
        subject,
        subject_key,
        cast(valid_to + interval '1' day as date) as slot_from
    from chosen_value
    where valid_to < date '2099-12-31'
),

span as (
    select
        subject,
        subject_key,
        slot_from,
        coalesce(
            cast(
                lead(slot_from) over (partition by subject, subject_key order by slot_from) - interval '1' day as date
            ),
            date '2099-12-31'
        ) as slot_to
    from cut
)

select
    s.subject,
    s.subject_key,
    s.slot_from,
    s.slot_to,
    max(case when v.slot = 1 then v.attribute_value end) as slot_1,
    max(case when v.slot = 2 then v.attribute_value end) as slot_2,
    max(case when v.slot = 3 then v.attribute_value end) as slot_3
from p
cross join mart_info as i
inner join span as s
    on s.slot_from <= coalesce(p.date_to, cast(coalesce(i.data_as_of, i.built_at) as date))
    and s.slot_to >= coalesce(p.date_from, cast(coalesce(i.data_as_of, i.built_at) as date))
left join chosen_value as v
    on v.subject = s.subject
    and v.subject_key = s.subject_key
    and s.slot_from between v.valid_from and v.valid_to
group by s.subject, s.subject_key, s.slot_from, s.slot_to
