-- When zones reach the UNTIL of rules on days of 23 or 25 hours, by the time zone that these days are of: the named one,
-- else, without plays, the service's. Where offsets of plays make the days, what has passed since a day began is the time.
-- Reads: core.campaign_rule, core.dirty_campaign_day, core.listing_span, core.play, core.service_time_zone, core.zone_day, core.zone_time_zone, core.zone_until, temp.zone_until
-- Makes: core.dirty_campaign_day, core.zone_until, temp.zone_until
insert into temp.zone_until
with until as (
    select distinct until_at
    from core.campaign_rule
    where until_at is not null
),

changing_day as (
    select
        z.zone_id,
        z.date,
        u.until_at,
        n.time_zone
    from until as u
    inner join core.zone_day as z on z.start_at <= u.until_at and z.end_at > u.until_at
    left join core.zone_time_zone as n on n.zone_id = z.zone_id
    where date_diff('second', z.start_at, z.end_at) <> 86400
),

played as (
    select distinct p.zone_id
    from core.play as p
    semi join changing_day as d on d.zone_id = p.zone_id and d.time_zone is null
    where p.duration_secs > 0
),

clock as (
    select
        d.zone_id,
        d.date,
        d.until_at,
        clock_of(d.time_zone, p.zone_id) as time_zone
    from changing_day as d
    left join played as p on p.zone_id = d.zone_id
)

select
    zone_id,
    date,
    until_at,
    cast(
        date_diff(
            'second',
            cast(date as timestamp),
            cast(timezone(time_zone, cast(until_at as timestamptz)) as timestamp)
        ) as integer
    ) as until_secs
from clock
where time_zone is not null;

insert into core.dirty_campaign_day
with changed as (
    (
        select * from temp.zone_until
        except
        select * from core.zone_until
    )
    union
    (
        select * from core.zone_until
        except
        select * from temp.zone_until
    )
)

select
    s.kind,
    c.date
from changed as c
inner join core.campaign_rule as r on r.until_at = c.until_at
inner join core.listing_span as s on s.rule_id = r.rule_id
except
select *
from core.dirty_campaign_day;

delete from core.zone_until;

insert into core.zone_until
select *
from temp.zone_until
