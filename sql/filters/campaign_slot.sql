-- The requested campaigns with their values of the chosen attributes: one row per campaign and range of days in the
-- period with the same values.
--
-- Reads: asked_campaign, attribute_span, p

with valued as (
    select
        t.*,
        coalesce(s.slot_from, date '1900-01-01') as slot_from,
        coalesce(s.slot_to, date '2099-12-31') as slot_to,
        case when p.slot_1_of = 'campaign' then coalesce(s.slot_1, '(none)') end as slot_1,
        case when p.slot_2_of = 'campaign' then coalesce(s.slot_2, '(none)') end as slot_2,
        case when p.slot_3_of = 'campaign' then coalesce(s.slot_3, '(none)') end as slot_3
    from p
    cross join asked_campaign as t
    left join attribute_span as s
        on s.subject = 'campaign'
        and s.subject_key = t.campaign_key
)

select v.*
from p
cross join valued as v
where
    (p.slot_1_of <> 'campaign' or p.slot_1_values = '' or position(chr(31) || v.slot_1 || chr(31) in p.slot_1_values) > 0)
    and (p.slot_2_of <> 'campaign' or p.slot_2_values = '' or position(chr(31) || v.slot_2 || chr(31) in p.slot_2_values) > 0)
    and (p.slot_3_of <> 'campaign' or p.slot_3_values = '' or position(chr(31) || v.slot_3 || chr(31) in p.slot_3_values) > 0)
