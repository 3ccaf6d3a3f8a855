-- Reads what is taken over from a lake: landings that this warehouse lacks, and their content as lines in the service's
-- form. The caller has created a view temp.lake_… for each table of the lake, with its machine. To be deleted in 0.4.

-- $first_place bigint: first listing of the batch that temp.listing_line shows.
-- $last_place bigint: last listing of that batch, inclusive.

-- Histories and listings, once each: two machines have the same landing if one began as a copy of the other.
create or replace temp view lake_landing as
select distinct on (landing_id) *
from temp.lake_load
order by landing_id, machine;

create or replace temp view lake_listing as
select distinct on (landing_id) *
from temp.lake_snapshot
order by landing_id, machine;

-- Histories to load, in the order of their requests.
create or replace temp table taken_load as
select
    row_number() over (order by l.kind, l.requested_at, l.load_id) as place,
    l.*
from temp.lake_landing as l
anti join core.load as c on c.landing_id = l.landing_id;

-- Listings to load, by machine and then by request, so that a batch reads neighbouring rows.
create or replace temp table taken_snapshot as
select
    row_number() over (order by s.source, s.machine, s.requested_at, s.snapshot_id) as place,
    s.*,
    case when s.zone_id is null then 'group' else 'zone' end as owner_kind,
    coalesce(s.zone_id, s.group_id) as owner_id
from temp.lake_listing as s
anti join core.snapshot as c on c.landing_id = s.landing_id;

-- Plays with the load that changed them last, because core has only the values of that load.
create or replace temp view taken_play as
select
    l.place,
    p.played_at,
    p.zone_id,
    p.item_id,
    p.artist_id,
    p.location_id,
    p.duration_secs,
    strftime(
        make_timestamp(epoch_us(p.played_at) + cast(p.written_offset_minutes as bigint) * 60000000),
        '%Y-%m-%dT%H:%M:%S'
    )
    || printf(
        '%s%02d:%02d',
        case when p.written_offset_minutes < 0 then '-' else '+' end,
        abs(p.written_offset_minutes) // 60,
        abs(p.written_offset_minutes) % 60
    ) as play_start
from temp.lake_play as p
inner join temp.taken_load as l on l.load_id = p.last_load_id;

create or replace temp macro service_text(instant) as strftime(cast(instant as timestamp), '%Y-%m-%dT%H:%M:%S.%fZ');

-- Returns a date as text, or the text that the listing had instead of a date.
create or replace temp macro date_text(name, date, record_error) as
coalesce(
    nullif(regexp_extract(record_error, name || ' "(.*?)" is not a date', 1), ''),
    cast(date as varchar)
);

create or replace temp view batch_snapshot as
select *
from temp.taken_snapshot
where place between getvariable('first_place') and getvariable('last_place');

-- Records of the batch, in the service's form.
create or replace temp view listing_line as
-- The lake has only the latest address of each location.
select
    s.place,
    to_json({
        'device_id': d.device_id,
        'zone_id': d.zone_id,
        'status': d.status,
        'platform': d.platform,
        'model': d.model,
        'firmware': d.firmware,
        'version': d.version,
        'ip_address': d.ip_address,
        'mac_address': d.mac_address,
        'bandwidth_kbps': d.bandwidth_kbps,
        'storage_used_mb': d.storage_used_mb,
        'storage_total_mb': d.storage_total_mb,
        'last_online_date': service_text(d.last_online_at),
        'last_online_ago': d.last_online_ago,
        'last_play_date': service_text(d.last_play_at),
        'last_sd_error': d.last_sd_error,
        'last_sd_error_date': service_text(d.last_sd_error_at),
        'location': {
            'location_id': d.location_id,
            'street': l.street,
            'city': l.city,
            'state': l.state,
            'zip': l.zip,
            'latitude': l.latitude,
            'longitude': l.longitude
        }
    }) as line
from temp.batch_snapshot as s
inner join temp.lake_device_snapshot as d on d.snapshot_id = s.snapshot_id
left join temp.lake_location as l
    on l.machine = s.machine
    and l.location_id = d.location_id
    and l.seen_at = s.requested_at
where s.source = 'devices'
union all
select
    s.place,
    to_json({
        'asset_id': a.asset_id,
        'name': a.asset_name,
        'duration': a.duration,
        'add_date': a.add_date,
        'start_date': a.start_date,
        'end_date': a.end_date
    }) as line
from temp.batch_snapshot as s
inner join temp.lake_asset_snapshot as a on a.snapshot_id = s.snapshot_id
where s.source = 'assets'
union all
-- A period also covers empty listings that are not valid.
select
    s.place,
    to_json({
        'campaign_id': p.campaign_id,
        'name': p.campaign_name,
        'status': p.status,
        'add_date': date_text('add_date', p.add_date, p.record_error),
        'start_date': date_text('start_date', p.start_date, p.record_error),
        'end_date': date_text('end_date', p.end_date, p.record_error),
        'rrule': p.rrule,
        'assets': k.assets
    }) as line
from temp.batch_snapshot as s
inner join temp.lake_campaign_listing as c
    on c.machine = s.machine
    and c.kind = s.kind
    and c.owner_kind = s.owner_kind
    and c.owner_id = s.owner_id
    and c.requested_at = s.requested_at
    and c.campaigns > 0
inner join temp.lake_listing_span as p
    on p.machine = s.machine
    and p.kind = s.kind
    and p.owner_kind = s.owner_kind
    and p.owner_id = s.owner_id
    and s.requested_at between p.seen_from_at and p.last_seen_at
left join (
    select
        b.place,
        a.campaign_id,
        list({
            'asset_id': a.asset_id,
            'duration': n.duration,
            'start_date': a.start_date,
            'end_date': a.end_date
        }) as assets
    from temp.batch_snapshot as b
    inner join temp.lake_listing_asset_span as a
        on a.machine = b.machine
        and a.kind = b.kind
        and a.owner_kind = b.owner_kind
        and a.owner_id = b.owner_id
        and b.requested_at between a.seen_from_at and a.last_seen_at
    left join temp.lake_linked_asset as n
        on n.machine = b.machine
        and n.kind = b.kind
        and n.owner_kind = b.owner_kind
        and n.owner_id = b.owner_id
        and n.asset_id = a.asset_id
        and n.seen_at = b.requested_at
    where b.source = 'campaigns'
    group by b.place, a.campaign_id
) as k on k.place = s.place and k.campaign_id = p.campaign_id
where s.source = 'campaigns'
union all
select
    s.place,
    to_json({
        'id': n.notice_id,
        'type': n.type,
        'state': n.state,
        'subject': n.subject,
        'url': n.url,
        'began_at': service_text(n.began_at),
        'ended_at': service_text(n.ended_at),
        'updated_at': service_text(n.updated_at),
        'ends_at': service_text(n.ends_at)
    }) as line
from temp.batch_snapshot as s
inner join temp.lake_notice as n on n.machine = s.machine and n.seen_at = s.requested_at
where s.source = 'notices'
union all
select
    s.place,
    to_json({
        'id': c.component_id,
        'name': c.component_name,
        'state': c.state,
        'parent_id': c.parent_id,
        'updated_at': service_text(c.updated_at)
    }) as line
from temp.batch_snapshot as s
inner join temp.lake_component as c on c.machine = s.machine and c.seen_at = s.requested_at
where s.source = 'components';
