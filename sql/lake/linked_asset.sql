-- Newest record of each asset that campaign listings link to, from any machine.
--
-- Reads: lake.linked_asset

with ranked as (
    select
        s.*,
        row_number() over (partition by kind, asset_id order by seen_at desc, owner_kind, owner_id, machine) as newest
    from lake.linked_asset as s
)

select
    kind,
    asset_id,
    duration,
    start_date,
    end_date,
    seen_at,
    owner_kind,
    owner_id
from ranked
where newest = 1
