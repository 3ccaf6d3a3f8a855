-- A listing of campaigns into core: among the owner's listings, whenever it is loaded.
create or replace temp macro is_owners(of_kind, of_owner_kind, of_owner_id) as
of_kind = getvariable('kind')
and of_owner_kind = case when getvariable('zone_id') is null then 'group' else 'zone' end
and of_owner_id = coalesce(getvariable('zone_id'), getvariable('group_id'));

-- Its neighbours in time, whatever they said.
set variable before_at = (
    select max(requested_at)
    from core.campaign_listing
    where is_owners(kind, owner_kind, owner_id) and requested_at < getvariable('requested_at')
);

set variable after_at = (
    select min(requested_at)
    from core.campaign_listing
    where is_owners(kind, owner_kind, owner_id) and requested_at > getvariable('requested_at')
);

create or replace temp table said as
select
    'campaign' as subject,
    cast(
        to_json({
            'campaign_id': campaign_id,
            'campaign_name': campaign_name,
            'status': status,
            'add_date': add_date,
            'start_date': start_date,
            'end_date': end_date,
            'rrule': rrule,
            'record_error': record_error
        }) as varchar
    ) as record
from campaign
union all
select
    'asset' as subject,
    cast(
        to_json({'campaign_id': campaign_id, 'asset_id': asset_id, 'start_date': start_date, 'end_date': end_date})
        as varchar
    ) as record
from campaign_asset;

-- Runs that hold this instant, or end or begin next to it.
create or replace temp table near_run as
select
    subject,
    record,
    first_at,
    last_at
from core.listing_run
where
    is_owners(kind, owner_kind, owner_id)
    and last_at >= coalesce(getvariable('before_at'), getvariable('requested_at'))
    and first_at <= coalesce(getvariable('after_at'), getvariable('requested_at'));

delete from core.listing_run
where
    is_owners(kind, owner_kind, owner_id)
    and last_at >= coalesce(getvariable('before_at'), getvariable('requested_at'))
    and first_at <= coalesce(getvariable('after_at'), getvariable('requested_at'));

insert into core.listing_run
with run as (
    -- What is said joins the runs on both sides.
    select
        s.subject,
        s.record,
        least(min(n.first_at), getvariable('requested_at')) as first_at,
        greatest(max(n.last_at), getvariable('requested_at')) as last_at
    from said as s
    left join near_run as n on n.subject = s.subject and n.record = s.record
    group by s.subject, s.record
    union all
    -- What is not said ends before and begins anew after.
    select
        n.subject,
        n.record,
        n.first_at,
        least(n.last_at, getvariable('before_at')) as last_at
    from near_run as n
    anti join said as s on s.subject = n.subject and s.record = n.record
    where n.first_at < getvariable('requested_at')
    union all
    select
        n.subject,
        n.record,
        greatest(n.first_at, getvariable('after_at')) as first_at,
        n.last_at
    from near_run as n
    anti join said as s on s.subject = n.subject and s.record = n.record
    where n.last_at > getvariable('requested_at')
)

select
    getvariable('kind') as kind,
    case when getvariable('zone_id') is null then 'group' else 'zone' end as owner_kind,
    coalesce(getvariable('zone_id'), getvariable('group_id')) as owner_id,
    subject,
    record,
    first_at,
    last_at
from run;

delete from core.campaign_listing
where is_owners(kind, owner_kind, owner_id) and requested_at = getvariable('requested_at');

insert into core.campaign_listing
select
    getvariable('kind') as kind,
    case when getvariable('zone_id') is null then 'group' else 'zone' end as owner_kind,
    coalesce(getvariable('zone_id'), getvariable('group_id')) as owner_id,
    getvariable('requested_at') as requested_at,
    (select count(*) from campaign) as campaigns,
    true as is_valid,
    null as previous_at;
