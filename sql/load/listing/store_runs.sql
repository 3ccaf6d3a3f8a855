-- New listings of campaigns among their owners' listings, whenever they are loaded. One of the same instant gives way.
-- Reads: core.campaign_listing, core.listing_run, temp.near_run, temp.new_listing, temp.said
-- Makes: core.campaign_listing, core.listing_run, temp.changed_span, temp.near_run
insert into temp.near_run
select
    n.place,
    r.subject,
    r.record,
    r.first_at,
    r.last_at
from core.listing_run as r
inner join temp.new_listing as n using (kind, owner_kind, owner_id)
where
    r.last_at >= coalesce(n.before_at, n.requested_at)
    and r.first_at <= coalesce(n.after_at, n.requested_at);

delete from core.listing_run
using temp.new_listing as n
where
    listing_run.kind = n.kind
    and listing_run.owner_kind = n.owner_kind
    and listing_run.owner_id = n.owner_id
    and listing_run.last_at >= coalesce(n.before_at, n.requested_at)
    and listing_run.first_at <= coalesce(n.after_at, n.requested_at);

insert into core.listing_run
with near as (
    select
        r.*,
        n.requested_at,
        n.before_at,
        n.after_at,
        s.place is not null as is_said
    from temp.near_run as r
    inner join temp.new_listing as n on n.place = r.place
    left join temp.said as s on s.place = r.place and s.subject = r.subject and s.record = r.record
),

run as (
    -- What is said joins the runs on both sides.
    select
        s.place,
        s.subject,
        s.record,
        least(min(r.first_at), n.requested_at) as first_at,
        greatest(max(r.last_at), n.requested_at) as last_at
    from temp.said as s
    inner join temp.new_listing as n on n.place = s.place
    left join temp.near_run as r on r.place = s.place and r.subject = s.subject and r.record = s.record
    group by s.place, s.subject, s.record, n.requested_at
    union all
    -- What is not said ends before and begins anew after.
    select
        place,
        subject,
        record,
        first_at,
        least(last_at, before_at) as last_at
    from near
    where not is_said and first_at < requested_at
    union all
    select
        place,
        subject,
        record,
        greatest(first_at, after_at) as first_at,
        last_at
    from near
    where not is_said and last_at > requested_at
)

select
    n.kind,
    n.owner_kind,
    n.owner_id,
    r.subject,
    r.record,
    r.first_at,
    r.last_at
from run as r
inner join temp.new_listing as n on n.place = r.place;

-- It was the first one after these days.
insert into temp.changed_span
select
    c.kind,
    c.previous_at as from_at,
    c.requested_at as until_at
from core.campaign_listing as c
inner join temp.new_listing as n using (kind, owner_kind, owner_id, requested_at)
where c.is_valid and c.previous_at is not null;

delete from core.campaign_listing
using temp.new_listing as n
where
    campaign_listing.kind = n.kind
    and campaign_listing.owner_kind = n.owner_kind
    and campaign_listing.owner_id = n.owner_id
    and campaign_listing.requested_at = n.requested_at;

insert into core.campaign_listing
select
    kind,
    owner_kind,
    owner_id,
    requested_at,
    campaigns,
    true as is_valid,
    null as previous_at
from temp.new_listing
