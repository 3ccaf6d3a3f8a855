-- The names that listings give to items.
-- Reads: temp.asset, temp.campaign_asset, temp.listing
-- Makes: temp.seen_name
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
group by l.kind, a.asset_id, a.asset_name
