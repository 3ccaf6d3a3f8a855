-- Devices: what makes their states count, when zones are open, and notices and components of the status API.

-- Per snapshot of devices: longer than this a state is not taken to have lasted from one to the next.
alter table core.device_snapshot add column max_gap_seconds bigint;

-- Of the service's date-times that carry no offset, as of the newest devices listing.
create table core.service_time_zone (
    time_zone varchar not null
);

-- The analyst's opening hours, of the zone's own clock.
create table core.opening_hours (
    zone_id bigint not null,
    day_of_week integer not null, -- 1 = Monday; the day on which it opens
    opens_secs integer not null, -- after midnight
    closes_secs integer not null -- after the same midnight; over 86,400 is the day after
);

-- The newest that the status API said of each notice.
create table core.notice (
    notice_id bigint not null,
    type varchar, -- general, planned or unplanned
    state varchar, -- null of general ones
    subject varchar,
    url varchar,
    began_at timestamp,
    ended_at timestamp, -- null: it has not
    updated_at timestamp,
    seen_at timestamp not null -- requested_at of the answer that said so
);

create table core.component (
    component_id bigint not null,
    component_name varchar,
    state varchar, -- operational, degraded or under-maintenance
    parent_id bigint,
    updated_at timestamp,
    seen_at timestamp not null
);
