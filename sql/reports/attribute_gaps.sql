-- One row per chosen attribute with the number of requested zones, campaigns or items, and of those without a value
-- on any day of the period, or on some. A report without a period takes the values as of the data.
--
-- For: plays, compliance, uptime, outages, silences, devices, single-plays, schedule
-- Reads: asked_campaign, asked_zone, attribute_span, chosen_item, slot
-- Columns:
--   subject          Subject (text): zone, campaign or item.
--   attribute_name   Attribute (text): Its name.
--   subjects         Subjects (count): Requested zones, campaigns or items.
--   without          Without a value (count): Those without a value on at least one day of the period.
--   partly           Partly without a value (count): Those of them that have a value on another day.

with subject_key as (
    select
        'zone' as subject,
        zone_id as subject_key
    from asked_zone
    union all
    select
        'campaign' as subject,
        campaign_key as subject_key
    from asked_campaign
    union all
    select
        'item' as subject,
        item_key as subject_key
    from chosen_item
),

valued as (
    select
        k.slot,
        k.subject,
        k.attribute_name,
        t.subject_key,
        count(*) as spans,
        count(case k.slot when 1 then s.slot_1 when 2 then s.slot_2 else s.slot_3 end) as valued_spans
    from slot as k
    inner join subject_key as t on t.subject = k.subject
    left join attribute_span as s
        on s.subject = t.subject
        and s.subject_key = t.subject_key
    group by k.slot, k.subject, k.attribute_name, t.subject_key
)

select
    subject,
    attribute_name,
    count(*) as subjects,
    count(case when valued_spans < spans then 1 end) as without,
    count(case when valued_spans between 1 and spans - 1 then 1 end) as partly
from valued
group by slot, subject, attribute_name
order by slot
