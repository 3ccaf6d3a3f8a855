-- Rows of the token's campaigns, with the dates on which these belong to the token.

select
    t.* replace (
        case
            when c.valid_from > date '1900-01-01'
                then greatest(
                    coalesce(t.start_date, cast(t.add_date + interval '1' day as date), c.valid_from), c.valid_from
                )
            else t.start_date
        end as start_date,
        case
            when c.valid_to < date '2099-12-31' then least(coalesce(t.end_date, c.valid_to), c.valid_to)
            else t.end_date
        end as end_date
    )
from whole.fact_listed_campaign as t
inner join share.span as c
    on c.campaign_key = t.campaign_key
    and t.from_at < c.valid_to + interval '1' day
    and coalesce(t.until_at, timestamp '9999-12-31 00:00:00') > c.valid_from
