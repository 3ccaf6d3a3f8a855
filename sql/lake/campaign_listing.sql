-- One row per campaign listing. If several machines listed an owner, their listings form one sequence in time order. Of
-- listings with the same instant, only the one from the machine that sorts first is used. Their validity is decided
-- again, because an empty listing after one with campaigns is valid only if the next one in the sequence is empty too.
--
-- Reads: lake.campaign_listing

with shared_owner as (
    select
        kind,
        owner_kind,
        owner_id
    from lake.campaign_listing
    group by kind, owner_kind, owner_id
    having count(distinct machine) > 1
),

ranked as (
    select
        l.*,
        row_number() over (
            partition by l.kind, l.owner_kind, l.owner_id, l.requested_at
            order by l.machine
        ) as place
    from lake.campaign_listing as l
    inner join shared_owner as o on o.kind = l.kind and o.owner_kind = l.owner_kind and o.owner_id = l.owner_id
),

sequenced as (
    select
        kind,
        owner_kind,
        owner_id,
        requested_at,
        campaigns,
        coalesce(lag(campaigns) over (partition by kind, owner_kind, owner_id order by requested_at), 0)
            as campaigns_before,
        coalesce(lead(campaigns) over (partition by kind, owner_kind, owner_id order by requested_at), 1)
            as campaigns_after
    from ranked
    where place = 1
),

judged as (
    select
        sequenced.*,
        campaigns > 0 or campaigns_before = 0 or campaigns_after = 0 as is_valid
    from sequenced
)

select
    l.kind,
    l.owner_kind,
    l.owner_id,
    l.requested_at,
    l.campaigns,
    l.is_valid,
    l.previous_at
from lake.campaign_listing as l
left join shared_owner as o on o.kind = l.kind and o.owner_kind = l.owner_kind and o.owner_id = l.owner_id
where o.kind is null
union all
select
    kind,
    owner_kind,
    owner_id,
    requested_at,
    campaigns,
    is_valid,
    case
        when is_valid
            then lag(requested_at) over (partition by kind, owner_kind, owner_id, is_valid order by requested_at)
    end as previous_at
from judged
