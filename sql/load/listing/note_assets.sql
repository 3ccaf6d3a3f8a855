-- What the listing says of the assets themselves: their names, and what is newest of each.
create or replace temp table seen_name as
select distinct
    'item' as subject,
    getvariable('kind') as kind,
    asset_id as id,
    asset_name as name,
    getvariable('requested_at') as first_at,
    getvariable('requested_at') as last_at
from campaign_asset
where asset_name <> '';

create or replace temp table seen_zone_location as
select
    zone_id,
    location_id,
    first_at,
    last_at
from core.zone_location_span
where false;

create or replace temp table seen_asset as
select distinct on (asset_id)
    getvariable('kind') as kind,
    asset_id,
    duration,
    start_date,
    end_date,
    getvariable('requested_at') as seen_at,
    case when getvariable('zone_id') is null then 'group' else 'zone' end as owner_kind,
    coalesce(getvariable('zone_id'), getvariable('group_id')) as owner_id
from campaign_asset
order by asset_id, campaign_id;

-- Of two listings of one instant that of the first owner counts, whichever is loaded first.
delete from core.linked_asset as l
using seen_asset as s
where
    l.kind = s.kind
    and l.asset_id = s.asset_id
    and (
        l.seen_at < s.seen_at
        or (l.seen_at = s.seen_at and (l.owner_kind, l.owner_id) >= (s.owner_kind, s.owner_id))
    );

insert into core.linked_asset
select s.*
from seen_asset as s
anti join core.linked_asset as l on l.kind = s.kind and l.asset_id = s.asset_id;

drop table seen_asset;
