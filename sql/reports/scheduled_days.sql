-- The scheduled zone days of the requested campaigns and zones, how many of them rest on an assumed schedule, and when
-- the zones' own campaigns were first listed.
--
-- For: compliance
-- Reads: bridge_zone_listing, campaign_slot, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   scheduled_days   Scheduled days (count): Zone days on which a campaign was scheduled.
--   assumed_days     Assumed days (count): Those whose schedule is assumed.
--   group_days       Days of groups (count): Assumed days whose schedule is taken from the listings of the zone's groups.
--   first_listed     First listed (date): Date in UTC of the earliest first listing of a zone.
--   last_listed      Last listed (date): Date in UTC of the latest first listing of a zone.

with listed as (
    select
        kind,
        zone_id,
        max(owner_kind) as owner_kind,
        cast(min(first_at) as date) as first_listed
    from bridge_zone_listing
    group by kind, zone_id
)

select
    count(*) as scheduled_days,
    count(case when f.is_assumed then 1 end) as assumed_days,
    count(case when f.is_assumed and l.owner_kind = 'group' then 1 end) as group_days,
    min(case when l.owner_kind = 'zone' then l.first_listed end) as first_listed,
    max(case when l.owner_kind = 'zone' then l.first_listed end) as last_listed
from p
inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to and f.state <> 'unscheduled'
inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
left join listed as l on l.kind = f.kind and l.zone_id = f.zone_id
