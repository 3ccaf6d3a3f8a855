-- Enters the listings into the ledger: how many of their records are typed, and how many lines and records are not.
-- Reads: temp.asset, temp.campaign, temp.component, temp.device, temp.listing, temp.listing_record, temp.notice
-- Makes: core.snapshot
insert into core.snapshot by name
with typed as (
    select place from temp.device
    union all
    select place from temp.asset
    union all
    select place from temp.campaign
    union all
    select place from temp.notice
    union all
    select place from temp.component
),

counted as (
    select
        *,
        (select count(*) from temp.listing_record as r where r.place = l.place) as given,
        (select count(*) from typed as t where t.place = l.place) as records
    from temp.listing as l
)

select
    * exclude (place, owner_kind, owner_id, unreadable_lines, given),
    unreadable_lines + given - records as rejected
from counted
order by place
returning
    landing_id as "landingId",
    snapshot_id as "snapshotId",
    records,
    rejected
