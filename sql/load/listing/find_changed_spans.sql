-- From when until when the owners of new listings say something else than before, or are doubted elsewhere.
-- Reads: core.campaign_listing, core.listing_asset_span, core.listing_span, temp.new_listing, temp.owner_listing, temp.owner_span
-- Makes: temp.changed_span
insert into temp.changed_span
with before as (
    select
        n.place,
        'campaign' as subject,
        campaign_record(
            s.campaign_id, s.campaign_name, s.status, s.add_date, s.start_date, s.end_date, s.rrule, s.record_error
        ) as record,
        s.from_at,
        s.until_at
    from core.listing_span as s
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    union all
    select
        n.place,
        'asset' as subject,
        link_record(s.campaign_id, s.asset_id, s.start_date, s.end_date) as record,
        s.from_at,
        s.until_at
    from core.listing_asset_span as s
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
),

-- Where only the end differs, what lies between both ends.
changed as (
    select
        place,
        case when b.subject is null or n.subject is null then from_at else least(b.until_at, n.until_at) end as from_at,
        case
            when b.subject is null then n.until_at
            when n.subject is null then b.until_at
            when b.until_at is not null and n.until_at is not null then greatest(b.until_at, n.until_at)
        end as until_at
    from before as b
    full join temp.owner_span as n using (place, subject, record, from_at)
    where b.subject is null or n.subject is null or b.until_at is distinct from n.until_at
),

-- Which valid listing followed which before the new ones came.
former as (
    select
        n.place,
        c.requested_at,
        c.previous_at
    from core.campaign_listing as c
    inner join temp.new_listing as n using (kind, owner_kind, owner_id)
    where c.is_valid and c.requested_at <> n.requested_at
),

-- Days that have another listing than before as the first one after them.
moved as (
    (
        select place, requested_at, previous_at from temp.owner_listing
        except
        select place, requested_at, previous_at from former
    )
    union all
    (
        select place, requested_at, previous_at from former
        except
        select place, requested_at, previous_at from temp.owner_listing
    )
)

select
    n.kind,
    c.from_at,
    c.until_at
from (
    select place, from_at, until_at from changed
    union all
    select place, previous_at as from_at, requested_at as until_at from moved where previous_at is not null
    union all
    -- An owner that had a first listing has an earlier one.
    select
        place,
        timestamp '1970-01-01' as from_at,
        min(requested_at) as until_at
    from moved
    where previous_at is null
    group by place
    having count(*) > 1
) as c
inner join temp.new_listing as n on n.place = c.place
