-- The owner's spans as they are now, in place of those before; days that this changes become dirty.
create or replace temp table changed_span as
with before as (
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
        ) as record,
        from_at,
        until_at
    from core.listing_span
    where is_owners(kind, owner_kind, owner_id)
    union all
    select
        'asset' as subject,
        cast(
            to_json({'campaign_id': campaign_id, 'asset_id': asset_id, 'start_date': start_date, 'end_date': end_date})
            as varchar
        ) as record,
        from_at,
        until_at
    from core.listing_asset_span
    where is_owners(kind, owner_kind, owner_id)
),

now as (
    select subject, record, from_at, until_at
    from owner_span
),

-- Where only the end differs, what lies between both ends.
changed as (
    select
        case when b.subject is null or n.subject is null then from_at else least(b.until_at, n.until_at) end as from_at,
        case
            when b.subject is null then n.until_at
            when n.subject is null then b.until_at
            when b.until_at is not null and n.until_at is not null then greatest(b.until_at, n.until_at)
        end as until_at
    from before as b
    full join now as n using (subject, record, from_at)
    where b.subject is null or n.subject is null or b.until_at is distinct from n.until_at
)

select from_at, until_at
from changed
union all
-- Days that have another listing than before as the first one after them. Days before the owner's first listing take
-- what it says, and are not doubted.
select
    previous_at as from_at,
    requested_at as until_at
from (
    (
        select requested_at, previous_at from owner_listing
        except
        select requested_at, previous_at from former_listing
    )
    union all
    (
        select requested_at, previous_at from former_listing
        except
        select requested_at, previous_at from owner_listing
    )
) as moved
where previous_at is not null;

-- Local dates are at most one off those of UTC.
insert into core.dirty_campaign_day
with range as (
    select distinct
        cast(from_at as date) - 1 as first_date,
        cast(until_at as date) + 1 as last_date
    from changed_span
),

known as (
    select
        min(date) as first_date,
        max(date) as last_date
    from core.zone_day
)

select distinct
    getvariable('kind') as kind,
    c.date
from core.calendar as c
inner join known as k on c.date between k.first_date and k.last_date
inner join range as r on c.date >= r.first_date and (r.last_date is null or c.date <= r.last_date)
except
select
    kind,
    date
from core.dirty_campaign_day;

drop table changed_span;

-- Rules that are new get numbers; campaign-dates follow.
insert into core.campaign_rule by name
with listed as (
    select distinct
        json_extract_string(record, 'rrule') as rrule,
        cast(json_extract_string(record, 'start_date') as date) as start_date,
        cast(json_extract_string(record, 'add_date') as date) as add_date
    from owner_span
    where subject = 'campaign' and json_extract_string(record, 'rrule') is not null
)

select
    nextval('core.rule_id') as rule_id,
    l.rrule,
    l.start_date,
    l.add_date,
    null as rule_error,
    false as is_every_day,
    date '9999-12-31' as expanded_from,
    date '1000-01-01' as expanded_to
from listed as l
anti join core.campaign_rule as r
    on r.rrule = l.rrule
    and r.start_date is not distinct from l.start_date
    and r.add_date is not distinct from l.add_date;

delete from core.listing_span
where is_owners(kind, owner_kind, owner_id);

insert into core.listing_span
with typed as (
    select
        json_transform(
            record,
            '{"campaign_id": "bigint", "campaign_name": "varchar", "status": "varchar", "add_date": "date",
              "start_date": "date", "end_date": "date", "rrule": "varchar", "record_error": "varchar"}'
        ) as r,
        from_at,
        until_at,
        seen_from_at,
        last_seen_at
    from owner_span
    where subject = 'campaign'
)

select
    getvariable('kind') as kind,
    case when getvariable('zone_id') is null then 'group' else 'zone' end as owner_kind,
    coalesce(getvariable('zone_id'), getvariable('group_id')) as owner_id,
    r.campaign_id,
    u.rule_id,
    r.campaign_name,
    r.status,
    coalesce(lower(trim(r.status)) = 'enabled', false) as is_enabled,
    r.add_date,
    r.start_date,
    r.end_date,
    r.rrule,
    r.record_error,
    t.from_at,
    t.until_at,
    t.seen_from_at,
    t.last_seen_at
from typed as t
left join core.campaign_rule as u
    on u.rrule = r.rrule
    and u.start_date is not distinct from r.start_date
    and u.add_date is not distinct from r.add_date;

delete from core.listing_asset_span
where is_owners(kind, owner_kind, owner_id);

insert into core.listing_asset_span
with typed as (
    select
        json_transform(
            record, '{"campaign_id": "bigint", "asset_id": "bigint", "start_date": "date", "end_date": "date"}'
        ) as r,
        from_at,
        until_at,
        seen_from_at,
        last_seen_at
    from owner_span
    where subject = 'asset'
)

select
    getvariable('kind') as kind,
    case when getvariable('zone_id') is null then 'group' else 'zone' end as owner_kind,
    coalesce(getvariable('zone_id'), getvariable('group_id')) as owner_id,
    r.campaign_id,
    r.asset_id,
    r.start_date,
    r.end_date,
    from_at,
    until_at,
    seen_from_at,
    last_seen_at
from typed;
