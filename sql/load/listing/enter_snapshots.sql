-- Enters the listings into the ledger: how many of their records are typed, and how many lines and records are not.
-- Reads: temp.asset, temp.campaign, temp.component, temp.device, temp.listing, temp.listing_record, temp.notice
-- Makes: core.snapshot
insert into core.snapshot by name
with given as (
    select
        place,
        count(*) as records
    from temp.listing_record
    group by place
),

typed as (
    select
        place,
        count(*) as records
    from (
        select place from temp.device
        union all
        select place from temp.asset
        union all
        select place from temp.campaign
        union all
        select place from temp.notice
        union all
        select place from temp.component
    )
    group by place
)

select
    l.snapshot_id,
    l.landing_id,
    l.source,
    l.kind,
    l.group_id,
    l.zone_id,
    l.requested_at,
    l.loaded_at,
    coalesce(t.records, 0) as records,
    l.unreadable_lines + coalesce(g.records, 0) - coalesce(t.records, 0) as rejected
from temp.listing as l
left join given as g on g.place = l.place
left join typed as t on t.place = l.place
order by l.place
returning
    landing_id as "landingId",
    snapshot_id as "snapshotId",
    records,
    rejected
