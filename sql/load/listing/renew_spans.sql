-- Which of the owner's listings are valid, and what they said from when until when.

-- An empty listing after one that was not counts only when the next is empty too.
create or replace temp table owner_listing as
with sequenced as (
    select
        requested_at,
        campaigns,
        coalesce(lag(campaigns) over (order by requested_at), 0) as campaigns_before,
        coalesce(lead(campaigns) over (order by requested_at), 1) as campaigns_after
    from core.campaign_listing
    where is_owners(kind, owner_kind, owner_id)
),

valid as (
    select
        requested_at,
        row_number() over (order by requested_at) as place,
        lag(requested_at) over (order by requested_at) as previous_at,
        lead(requested_at) over (order by requested_at) as next_at
    from sequenced
    where campaigns > 0 or campaigns_before = 0 or campaigns_after = 0
)

select * from valid;

-- Which valid listing followed which before this one came: what it says of the days in between may have been doubted.
create or replace temp table former_listing as
select
    requested_at,
    previous_at
from core.campaign_listing
where is_owners(kind, owner_kind, owner_id) and is_valid and requested_at <> getvariable('requested_at');

update core.campaign_listing
set
    is_valid = v.place is not null,
    previous_at = v.previous_at
from core.campaign_listing as l
left join owner_listing as v on v.requested_at = l.requested_at
where
    is_owners(campaign_listing.kind, campaign_listing.owner_kind, campaign_listing.owner_id)
    and is_owners(l.kind, l.owner_kind, l.owner_id)
    and campaign_listing.requested_at = l.requested_at
    and (
        campaign_listing.is_valid <> (v.place is not null)
        or campaign_listing.previous_at is distinct from v.previous_at
    );

-- Runs of valid listings: invalid ones between two that said the same don't part them.
create or replace temp table owner_span as
with run as (
    select
        r.subject,
        r.record,
        f.place as first_place,
        l.place as last_place
    from core.listing_run as r
    inner join owner_listing as f on f.requested_at = r.first_at
    inner join owner_listing as l on l.requested_at = r.last_at
    where is_owners(r.kind, r.owner_kind, r.owner_id)
),

begun as (
    select
        *,
        first_place is distinct from lag(last_place) over each_record + 1 as is_begin
    from run
    window each_record as (partition by subject, record order by first_place)
),

island as (
    select
        *,
        count(case when is_begin then 1 end) over (partition by subject, record order by first_place) as island
    from begun
),

span as (
    select
        subject,
        record,
        min(first_place) as first_place,
        max(last_place) as last_place
    from island
    group by subject, record, island
)

select
    s.subject,
    s.record,
    case when s.first_place = 1 then timestamp '1970-01-01' else f.requested_at end as from_at,
    l.next_at as until_at,
    f.requested_at as seen_from_at,
    l.requested_at as last_seen_at
from span as s
inner join owner_listing as f on f.place = s.first_place
inner join owner_listing as l on l.place = s.last_place;
