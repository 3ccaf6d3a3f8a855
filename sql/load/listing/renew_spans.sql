-- Which listings of the owners of new ones are valid, and what they said from when until when.
-- Reads: core.campaign_listing, core.listing_run, temp.new_listing, temp.owner_listing
-- Makes: temp.owner_listing, temp.owner_span

-- An empty listing after one that was not counts only when the next is empty too.
insert into temp.owner_listing
with sequenced as (
    select
        n.place,
        c.requested_at,
        c.campaigns,
        coalesce(lag(c.campaigns) over owners, 0) as campaigns_before,
        coalesce(lead(c.campaigns) over owners, 1) as campaigns_after
    from core.campaign_listing as c
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    window owners as (partition by n.place order by c.requested_at)
)

select
    place,
    requested_at,
    row_number() over owners as number,
    lag(requested_at) over owners as previous_at,
    lead(requested_at) over owners as next_at
from sequenced
where campaigns > 0 or campaigns_before = 0 or campaigns_after = 0
window owners as (partition by place order by requested_at);

-- Runs of valid listings: invalid ones between two that said the same don't part them. First and last listings are joined
-- one after the other: else DuckDB joins each of an owner's listings with each first.
insert into temp.owner_span
with run_begin as materialized (
    select
        n.place,
        r.subject,
        r.record,
        r.last_at,
        f.number as first_number
    from core.listing_run as r
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    inner join temp.owner_listing as f on f.place = n.place and f.requested_at = r.first_at
),

run as (
    select
        r.place,
        r.subject,
        r.record,
        r.first_number,
        l.number as last_number
    from run_begin as r
    inner join temp.owner_listing as l on l.place = r.place and l.requested_at = r.last_at
),

begun as (
    select
        *,
        first_number is distinct from lag(last_number) over each_record + 1 as is_begin
    from run
    window each_record as (partition by place, subject, record order by first_number)
),

island as (
    select
        *,
        count(case when is_begin then 1 end) over (
            partition by place, subject, record order by first_number
        ) as island
    from begun
),

span as (
    select
        place,
        subject,
        record,
        min(first_number) as first_number,
        max(last_number) as last_number
    from island
    group by place, subject, record, island
),

span_begin as materialized (
    select
        s.*,
        f.requested_at as seen_from_at
    from span as s
    inner join temp.owner_listing as f on f.place = s.place and f.number = s.first_number
)

select
    s.place,
    s.subject,
    s.record,
    case when s.first_number = 1 then timestamp '1970-01-01' else s.seen_from_at end as from_at,
    l.next_at as until_at,
    s.seen_from_at,
    l.requested_at as last_seen_at
from span_begin as s
inner join temp.owner_listing as l on l.place = s.place and l.number = s.last_number
