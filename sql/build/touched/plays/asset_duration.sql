-- Days with plays of an asset whose duration became known, changed or became unknown since the last build.
--
-- Reads: core.built_item_duration, core.play, staging.asset_newest
with changed as (
    select
        coalesce(n.item_key, b.item_key) as item_key
    from staging.asset_newest as n
    full join core.built_item_duration as b on b.item_key = n.item_key
    where n.duration_secs is distinct from b.duration_secs
)

select distinct
    cast(p.kind as varchar) as kind,
    p.date
from core.play as p
inner join changed as c on c.item_key = p.item_id * 4 + case p.kind when 'signage' then 1 else 2 end
where p.kind <> 'music' and p.duration_secs > 0
