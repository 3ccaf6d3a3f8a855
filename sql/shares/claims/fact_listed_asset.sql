-- Assets of the token's campaigns, and of other campaigns that can claim the same plays, without their identity.

select
    t.kind,
    t.owner_kind,
    t.owner_id,
    c.shown_key as campaign_key,
    coalesce(i.item_key, -1) as item_key,
    case
        when c.valid_from > date '1900-01-01' then greatest(coalesce(t.start_date, c.valid_from), c.valid_from)
        else t.start_date
    end as start_date,
    case
        when c.valid_to < date '2099-12-31' then least(coalesce(t.end_date, c.valid_to), c.valid_to)
        else t.end_date
    end as end_date,
    t.from_at,
    t.until_at
from whole.fact_listed_asset as t
inner join share.claimant as c
    on c.campaign_key = t.campaign_key
    and t.from_at < c.valid_to + interval '1' day
    and coalesce(t.until_at, timestamp '9999-12-31 00:00:00') > c.valid_from
left join share.item as i on i.item_key = t.item_key
