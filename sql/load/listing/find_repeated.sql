-- Parts listings of campaigns into those that say what their owner's newest one before said, and all others.
-- Reads: core.campaign_listing, core.listing_run, temp.campaign, temp.campaign_asset, temp.listing, temp.new_listing, temp.repeated_listing, temp.said
-- Makes: temp.new_listing, temp.repeated_listing, temp.said
insert into temp.said
select
    place,
    'campaign' as subject,
    campaign_record(campaign_id, campaign_name, status, add_date, start_date, end_date, rrule, record_error) as record
from temp.campaign
union all
select
    place,
    'asset' as subject,
    link_record(campaign_id, asset_id, start_date, end_date) as record
from temp.campaign_asset;

insert into temp.new_listing
with neighbour as (
    select
        l.place,
        max(c.requested_at) filter (where c.requested_at < l.requested_at) as before_at,
        min(c.requested_at) filter (where c.requested_at > l.requested_at) as after_at
    from temp.listing as l
    inner join core.campaign_listing as c using (kind, owner_kind, owner_id)
    group by l.place
)

select
    l.place,
    l.kind,
    l.owner_kind,
    l.owner_id,
    l.requested_at,
    (select count(*) from temp.campaign as c where c.place = l.place) as campaigns,
    n.before_at,
    n.after_at
from temp.listing as l
left join neighbour as n on n.place = l.place
where l.source = 'campaigns';

-- Empty ones are left out: whether they count hangs on their neighbours.
insert into temp.repeated_listing
with candidate as (
    select n.*
    from temp.new_listing as n
    anti join core.campaign_listing as c
        on c.kind = n.kind
        and c.owner_kind = n.owner_kind
        and c.owner_id = n.owner_id
        and c.requested_at >= n.requested_at
    where n.campaigns > 0 and n.before_at is not null
),

before as (
    select
        n.place,
        r.subject,
        r.record
    from candidate as n
    inner join core.listing_run as r
        on r.kind = n.kind
        and r.owner_kind = n.owner_kind
        and r.owner_id = n.owner_id
        and r.last_at = n.before_at
),

now as (
    select s.*
    from temp.said as s
    semi join candidate as n on n.place = s.place
),

different as (
    select coalesce(b.place, n.place) as place
    from before as b
    full join now as n on n.place = b.place and n.subject = b.subject and n.record = b.record
    where b.place is null or n.place is null
)

select n.* exclude (after_at)
from candidate as n
anti join different as d on d.place = n.place;

delete from temp.new_listing
using temp.repeated_listing as r
where new_listing.place = r.place
