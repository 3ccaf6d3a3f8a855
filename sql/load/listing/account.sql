-- Enters the listings into the ledger, and returns the new rows. Also collects the names of items, and the zones whose
-- local days must be recomputed.
-- Reads: core.zone_day, temp.asset, temp.campaign, temp.campaign_asset, temp.component, temp.device, temp.listing,
--   temp.listing_record, temp.notice, temp.touched_zone
-- Leaves: core.snapshot, temp.seen_name, temp.touched_zone
insert into temp.seen_name
select
    'item' as subject,
    l.kind,
    a.asset_id as id,
    a.asset_name as name,
    min(l.requested_at) as first_at,
    max(l.requested_at) as last_at
from (
    select place, asset_id, asset_name from temp.asset
    union all
    select place, asset_id, asset_name from temp.campaign_asset
) as a
inner join temp.listing as l on l.place = a.place
where a.asset_name <> ''
group by l.kind, a.asset_id, a.asset_name;

-- Zones in a listing that is older than all other data about them.
insert into temp.touched_zone
with listed as (
    select
        s.zone_id,
        min(l.requested_at) as requested_at
    from (
        select place, zone_id from temp.device
        union all
        select place, zone_id from temp.listing where zone_id is not null
    ) as s
    inner join temp.listing as l on l.place = s.place
    group by s.zone_id
),

first_day as (
    select
        zone_id,
        min(start_at) as start_at
    from core.zone_day
    group by zone_id
)

select l.zone_id
from listed as l
left join first_day as f on f.zone_id = l.zone_id
anti join temp.touched_zone as t on t.zone_id = l.zone_id
where f.start_at is null or f.start_at > l.requested_at;

-- Lines that are not records, records without an id, and records with a repeated id are counted as rejected.
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
    rejected;
