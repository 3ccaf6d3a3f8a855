-- Temporary tables and macros for loading listings, at most one per owner at a time. shared/prepare.sql declares the
-- others. The scripts in this folder run in this order:
--
--   prepare   prepare.sql
--   read      devices.sql, assets.sql, campaigns.sql, status.sql: those for which there is a listing
--   account   account.sql, ../shared/store_findings.sql, ../shared/refresh_zone_days.sql,
--             ../shared/begin_zone_days.sql
--   apply     store_campaigns.sql

-- Listings that are loaded together, in order of landing. The owner is the group or zone that was listed. Listings from
-- the status API have no owner.
create or replace temp table listing (
    place integer not null, -- position among all landings that are loaded together
    snapshot_id bigint not null default nextval('core.snapshot_id'),
    landing_id varchar not null,
    source varchar not null,
    kind varchar not null, -- signage or messaging, else ''
    group_id bigint,
    zone_id bigint,
    owner_kind varchar not null, -- group, zone or nobody
    owner_id bigint,
    requested_at timestamp not null,
    loaded_at timestamp not null,
    unreadable_lines bigint not null -- lines that are not a JSON object
);

-- Records of the listings, as received.
create or replace temp table listing_record (
    place integer not null,
    line integer not null,
    record varchar not null
);

-- Records of each source in typed columns, without those that lack an id.
create or replace temp table device (
    place integer not null,
    device_id bigint not null,
    zone_id bigint not null,
    location_id bigint,
    location_name varchar,
    street varchar,
    city varchar,
    state varchar,
    zip varchar,
    latitude double,
    longitude double,
    status varchar,
    platform varchar,
    model varchar,
    firmware varchar,
    version varchar,
    ip_address varchar,
    mac_address varchar,
    bandwidth_kbps double,
    storage_used_mb double,
    storage_total_mb double,
    last_online_at timestamp,
    last_online_ago bigint,
    last_play_at timestamp,
    last_sd_error varchar,
    last_sd_error_at timestamp
);

create or replace temp table asset (
    place integer not null,
    asset_id bigint not null,
    asset_name varchar,
    duration double,
    add_date date,
    start_date date,
    end_date date
);

create or replace temp table campaign (
    place integer not null,
    campaign_id bigint not null,
    campaign_name varchar,
    status varchar,
    add_date date,
    start_date date,
    end_date date,
    rrule varchar,
    record_error varchar,
    assets struct(asset_id varchar, name varchar, duration varchar, start_date varchar, end_date varchar) []
);

create or replace temp table campaign_asset (
    place integer not null,
    campaign_id bigint not null,
    asset_id bigint not null,
    asset_name varchar,
    duration double,
    start_date date,
    end_date date
);

create or replace temp table notice (
    place integer not null,
    notice_id bigint not null,
    type varchar,
    state varchar,
    subject varchar,
    url varchar,
    began_at timestamp,
    ended_at timestamp,
    updated_at timestamp,
    ends_at timestamp
);

create or replace temp table component (
    place integer not null,
    component_id bigint not null,
    component_name varchar,
    state varchar,
    parent_id bigint,
    updated_at timestamp
);

-- One row per campaign, and one per link to an asset, in campaign listings.
create or replace temp table snapshot_record (
    place integer not null,
    subject varchar not null, -- campaign or asset
    record varchar not null -- JSON, as in core.listing_run
);

-- Campaign listings that are being loaded, with the instants of the owner's listings before and after.
create or replace temp table new_listing (
    place integer not null,
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    requested_at timestamp not null,
    campaigns bigint not null,
    before_at timestamp,
    after_at timestamp
);

-- Runs that contain the instant of a new listing, or that end or begin at the listing before or after it.
create or replace temp table near_run (
    place integer not null,
    subject varchar not null,
    record varchar not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Valid listings of the owners that have a new listing.
create or replace temp table owner_listing (
    place integer not null, -- place of the new listing
    requested_at timestamp not null,
    number bigint not null, -- position among the owner's valid listings
    previous_at timestamp,
    next_at timestamp
);

-- Records in these owners' valid listings, with the period of each.
create or replace temp table owner_span (
    place integer not null,
    subject varchar not null,
    record varchar not null,
    from_at timestamp not null,
    until_at timestamp,
    seen_from_at timestamp not null,
    last_seen_at timestamp not null
);

-- Periods in which the listed records changed. If until_at is null, the period has no end.
create or replace temp table changed_span (
    kind varchar not null,
    from_at timestamp not null,
    until_at timestamp
);

-- $service_time_zone varchar: IANA name of the time zone for service date-times that have no UTC offset.
-- $has_new_time_zone boolean: true if the service's time zone changed. Set by devices.sql.

-- Records of one source, converted with json_transform to the given shape.
create or replace temp macro records_of(of_source, shape) as table
select
    l.place,
    l.requested_at,
    t.line,
    json_transform(t.record, shape) as r
from temp.listing_record as t
inner join temp.listing as l on l.place = t.place
where l.source = of_source;

-- Returns an instant, or null if it stands for "never": 0001-01-01, -0001-11-30, or the epoch. The epoch may be written
-- in one time zone and read in another, so instants up to 26 hours after it are treated as the epoch.
create or replace temp macro known_instant(instant) as
case
    when instant between timestamp '1970-01-02 02:00:00.000001' and timestamp '9999-12-31 23:59:59.999999' then instant
end;

-- Parses a local time. Limits its range, because DuckDB cannot convert every time at the ends of its own range to UTC.
create or replace temp macro shown_time(text) as
case
    when try_cast(text as timestamp) between timestamp '0001-01-01 00:00:00' and timestamp '9999-12-31 23:59:59.999999'
        then try_cast(text as timestamp)
end;

-- Returns the instant that the same local time would have with the UTC offset of the day before.
create or replace temp macro previous_day_instant(instant, time_zone) as
make_timestamp(
    epoch_us(instant)
    - epoch_us(timezone(time_zone, cast(instant - interval 1 day as timestamptz)))
    + epoch_us(timezone(time_zone, cast(instant as timestamptz)))
    - 86400000000
);

-- If a local time occurs twice because a clock goes back, DuckDB uses the second instant. This returns the first
-- instant if the second was more than five minutes in the future at the time of the request. The lambda keeps a macro's
-- text from growing with each use of its parameter, which would take longer to plan than to run.
create or replace temp macro first_instant(instant, time_zone, requested_at) as
list_transform(
    [instant],
    lambda second: case
        when
            second > requested_at + interval 5 minute
            and second < requested_at + interval 1 day
            and timezone(time_zone, cast(previous_day_instant(second, time_zone) as timestamptz))
            = timezone(time_zone, cast(second as timestamptz))
            then previous_day_instant(second, time_zone)
        else second
    end
)[1];

-- Converts a date-time from the service to UTC. If it has no offset, it is in the service's time zone.
create or replace temp macro service_instant(text, time_zone, requested_at) as
known_instant(
    case
        when regexp_matches(text, '([zZ]|[+-]\d\d(:?\d\d)?)$') and text like '%:%'
            then cast(try_cast(text as timestamptz) as timestamp)
        else first_instant(cast(timezone(time_zone, shown_time(text)) as timestamp), time_zone, requested_at)
    end
);

-- Parses a number. Returns null for NaN and infinities.
create or replace temp macro finite_number(text) as
case when isfinite(try_cast(text as double)) then try_cast(text as double) end;

-- Returns true for strings that mean "no date": 0000-00-00, the date that some libraries turn it into, the first date
-- of other libraries, the epoch in any time zone, and infinite dates from databases.
create or replace temp macro means_no_date(text) as
regexp_matches(text, '^\s*(0000-00-00|-0001-11-30|0001-01-01|1969-12-31|1970-01-01)')
or not coalesce(isfinite(try_cast(trim(text) as date)), true);

-- Parses a date in a listing. Returns null if the string means "no date", or is not a date with a four-digit year.
create or replace temp macro listed_date(text) as
case
    when
        not means_no_date(text)
        and try_cast(trim(text) as date) between date '0001-01-01' and date '9999-12-31'
        then try_cast(trim(text) as date)
end;

-- Returns an error message for a string that is not a date.
create or replace temp macro date_error(name, text) as
case
    when trim(text) <> '' and not means_no_date(text) and listed_date(text) is null
        then name || ' "' || left(text, 40) || '" is not a date'
end;

-- Returns a campaign or a link to an asset as JSON, as stored in core.listing_run.
create or replace temp macro campaign_record(
    campaign_id, campaign_name, status, add_date, start_date, end_date, rrule, record_error
) as
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
);

create or replace temp macro link_record(campaign_id, asset_id, start_date, end_date) as
cast(
    to_json({'campaign_id': campaign_id, 'asset_id': asset_id, 'start_date': start_date, 'end_date': end_date})
    as varchar
);
