const campaigns = 40;
const assets = 200;
const groups = 5;
const regions = 500;

const ofDay = `zone_id, date, 82000 as up_seconds, 3600 as down_seconds, 800 as unknown_seconds, 50000 as open_up_seconds,
  3600 as open_down_seconds, 0 as planned_down_seconds, 600 as silent_seconds, 0 as playing_while_down_seconds, 1 as outages`;

/**
 * A chain with a device in each zone, 500 regions that change in December, 40 signage campaigns in all zones, and
 * 3,000 listings: selects over `zone_day (zone_id, date)`, by published table.
 * @param now ISO instant of the newest listing
 */
export function madeUpRows(now) {
  const listedAt = `timestamptz '${now}'`;
  const zones = "(select distinct zone_id from zone_day)";
  return {
    dim_group: `select range as group_id, 'Group ' || range as group_name from range(${groups})`,
    bridge_group_zone: `select zone_id % ${groups} as group_id, zone_id from ${zones}`,
    bridge_zone_attribute: `select zone_id, 'region' as attribute_name,
        'Region ' || (zone_id + span) % ${regions} as attribute_value, valid_from, valid_to
      from ${zones},
        (values (0, date '1900-01-01', date '2025-12-15'), (1, date '2025-12-16', date '2099-12-31'))
          as spans (span, valid_from, valid_to)`,
    dim_item: `select range * 4 + 1 as item_key, 'signage' as kind, range as item_id, 'Asset number ' || range as item_name,
        30.0 as asset_duration from range(${assets})`,
    dim_campaign: `select range * 4 + 1 as campaign_key, 'signage' as kind, range as campaign_id,
        'Campaign ' || range as campaign_name, timestamptz '2020-01-01 00:00:00+00' as first_seen_at,
        ${listedAt} as last_seen_at, true as is_listed from range(${campaigns})`,
    bridge_campaign_asset: `select range * 4 + 1 as campaign_key, range % ${assets} * 4 + 1 as item_key,
        timestamptz '2020-01-01 00:00:00+00' as linked_from from range(${campaigns})`,
    fact_campaign_zone_day: `select c * 4 + 1 as campaign_key, 'signage' as kind, zone_id, date,
        ['compliant', 'compliant', 'compliant', 'missed', 'missed_offline', 'closed', 'not_measurable']
          [1 + (hash(c, zone_id, date) % 7)::int] as state,
        false as is_assumed, 3 as candidate_plays, 30 as play_seconds, 1 as exclusive_plays, 1.5 as weighted_plays,
        15.0 as weighted_seconds,
        2 as complete_plays, 3 as measured_plays, 2 as active_assets, 1 as played_assets
      from zone_day, range(${campaigns}) as campaigns (c)`,
    dim_device: `select zone_id * 10 as device_id, zone_id, 'box' as platform, 'two' as model, '1.2' as firmware,
        '5' as version, timestamptz '2020-01-01 00:00:00+00' as first_seen_at, ${listedAt} as last_seen_at,
        case when zone_id % 9 = 0 then 'offline' else 'online' end as status,
        case when zone_id % 9 = 0 then 'down' else 'up' end as state, ${listedAt} as last_online_at,
        ${listedAt} - interval 1 hour as last_play_at, 2000.0 as storage_used_mb, 8000.0 as storage_total_mb from ${zones}`,
    bridge_device_firmware: `select zone_id * 10 as device_id, 'box' as platform, 'two' as model, '1.2' as firmware,
        date '1900-01-01' as valid_from, date '2099-12-31' as valid_to from ${zones}`,
    fact_device_day: `select zone_id * 10 as device_id, ${ofDay} from zone_day`,
    fact_zone_uptime: `select (date + interval 5 hour)::timestamptz as start_at,
        (date + interval 29 hour)::timestamptz as end_at, ${ofDay} from zone_day`,
    fact_zone_opening: `select zone_id, date, (date + interval 8 hour)::timestamptz as opens_at,
        (date + interval 22 hour)::timestamptz as closes_at from zone_day`,
    fact_outage: `select 'o' || zone_id || date as outage_key, zone_id * 10 as device_id, zone_id, date,
        (date + interval 8 hour)::timestamptz as started_at, (date + interval 10 hour)::timestamptz as ended_at,
        7200 as down_seconds, false as is_open,
        (date + interval 10 hour)::timestamptz as seen_up_at from zone_day where zone_id % 5 = 0`,
    fact_quiet: `select zone_id, date, (date + interval 12 hour)::timestamptz as from_at, 900 as quiet_seconds,
        900 as silent_seconds, 0 as quiet_down_seconds from zone_day where zone_id % 5 < 2`,
    fact_zone_open_day: `select zone_id, date, 50400 as open_seconds, if(zone_id % 5 < 2, 900, 0) as quiet_seconds,
        if(zone_id % 5 < 2, 900, 0) as silent_seconds, 0 as quiet_down_seconds from zone_day`,
    fact_clock_ahead: `select zone_id * 10 as device_id, zone_id, date, 'last_online' as date_time, 1 as snapshots,
        600 as seconds_ahead from zone_day where zone_id % 50 = 0`,
    fact_freshness: `select range as group_id, kind, source, ${listedAt} as requested_at
      from range(${groups}), (values ('music', 'export'), ('signage', 'export'), ('', 'devices')) as sources (kind, source)`,
    fact_snapshot: `select 1000000 + row_number() over () as snapshot_id, source, range % ${groups} as group_id,
        ${listedAt} - range * interval 1 hour as requested_at, ${listedAt} as loaded_at, 60 as records, 0 as rejected
      from range(1000), (values ('devices'), ('notices'), ('components')) as sources (source)`,
  };
}
