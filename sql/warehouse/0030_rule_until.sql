-- Rules whose UNTIL is an instant: which of their last days a zone has hangs on its clock.
alter table core.campaign_rule add column until_at timestamp; -- null: no UNTIL, or a local time

-- Local second of the day of the first occurrence; null: UNTIL is not near, every zone has the date.
alter table core.campaign_date add column first_secs integer;

-- The local time at which a zone reaches a rule's UNTIL on a day on which its clock changes. On all others it is the time
-- since the day began.
create table core.zone_until (
    zone_id bigint not null,
    date date not null, -- the zone's local day that holds until_at
    until_at timestamp not null,
    until_secs integer not null -- seconds on its clock since midnight
);
