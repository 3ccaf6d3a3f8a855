-- Days with plays of an asset whose length became known, changed or became unknown since plays were measured last.
-- Reads core.built_item_duration, staging.asset_newest, staging.play.
with changed as (
    select
        coalesce(n.item_key, b.item_key) as item_key
    from staging.asset_newest as n
    full join core.built_item_duration as b on b.item_key = n.item_key
    where n.duration_secs is distinct from b.duration_secs
)

select distinct
    p.kind,
    p.date
from staging.play as p
inner join changed as c on c.item_key = p.item_key
