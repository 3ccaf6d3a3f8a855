import { isIn, type Sql, sql, text } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import { columnsLike, type ListReport } from "./list-report.ts";
import type { ReportEntry } from "./report-entry.ts";
import { listedZone, zoneColumns, zoneJoins } from "./zone-parts.ts";

/**
 * Tables of the listed devices; the last one, `device`, contains their state at the time of the data. A device is
 * treated as listed if it is in the newest devices listing of one of its zone's groups, or if its zone has no group. A
 * zone's silence is its open time since its last play, as far as history is known.
 */
export const deviceTables: readonly (readonly [name: string, select: Sql])[] = [
  listedZone,
  // Plays on the last two dates and plays longer than a day, because any of these may be the last to end.
  [
    "late_play",
    sql`select f.zone_id, f.played_at, f.duration_secs
from dim_zone as z
cross join (values (0), (1)) as k (days)
inner join fact_play as f
    on f.zone_id = z.zone_id
    and f.date = cast(z.last_play_date - k.days * interval '1' day as date)
union all
select zone_id, played_at, duration_secs
from fact_play
where duration_secs > 86400`,
  ],
  [
    "last_play",
    sql`select
    zone_id,
    max(cast(played_at + duration_secs * interval '1' second as timestamp(6))) as ended_at
from late_play
group by zone_id`,
  ],
  [
    "open_since",
    sql`select
    o.zone_id,
    case when l.ended_at > o.opens_at then l.ended_at else o.opens_at end as from_at,
    case when i.data_as_of >= o.closes_at then o.closes_at else i.data_as_of end as until_at
from fact_zone_opening as o
cross join mart_info as i
left join last_play as l on l.zone_id = o.zone_id`,
  ],
  // One row per zone whose opening hours are known.
  [
    "silence",
    sql`select
    zone_id,
    cast(coalesce(sum(case when from_at < until_at then date_diff('second', from_at, until_at) end), 0) as bigint)
        as silent_for_seconds
from open_since
group by zone_id`,
  ],
  [
    "open_outage",
    sql`select device_id, max(down_seconds) as down_for_seconds
from fact_outage
where is_open
group by device_id`,
  ],
  // A device has been down since the service last saw it online. If the service does not report that, earlier listings
  // are used.
  [
    "listed_device",
    sql`select
    d.*,
    case
        when d.state <> 'down' then null
        when d.last_online_at > d.last_seen_at then 0
        when d.last_online_at is not null
            then date_diff(
                'second',
                cast(date_trunc('second', d.last_online_at) as timestamp(6)),
                cast(date_trunc('second', d.last_seen_at) as timestamp(6))
            )
        else o.down_for_seconds
    end as down_for_seconds
from dim_device as d
left join listed_zone as k on k.zone_id = d.zone_id
left join open_outage as o on o.device_id = d.device_id
where k.requested_at is null or d.last_seen_at >= k.requested_at`,
  ],
  [
    "device",
    sql`select
    d.zone_id,
    d.device_id,
    d.status,
    case
        when d.state in ('up', 'unknown') and s.silent_for_seconds > 600 then 'silent'
        else d.state
    end as state,
    d.down_for_seconds,
    case when i.data_as_of is not null then s.silent_for_seconds end as silent_for_seconds,
    d.last_online_at,
    d.last_play_at,
    d.last_sd_error,
    cast(d.storage_used_mb as double) / nullif(d.storage_total_mb, 0) as storage_used_share,
    d.firmware,
    d.version
from listed_device as d
left join silence as s on s.zone_id = d.zone_id
cross join mart_info as i`,
  ],
];

/** Current device states, as computed by `deviceTables`, most urgent first. */
export const deviceStates = ["down", "silent", "unknown", "up", "replaced"] as const;

/**
 * The listed devices with the data from their newest listing. Devices that are down come first, longest first, then
 * devices in silent zones, in unknown states, and with storage errors.
 */
export const devices: ListReport & ReportEntry = {
  name: "devices",
  summary: "devices as of their last check, most urgent first",
  isTimeless: true,
  top: "most urgent",
  states: deviceStates,
  statesTitle: "only … devices",
  testsDevices: true,
  collected: ["devices", "history"],
  dataOf: ["devices", "history"],
  notes: ["no-devices", "device-states"],
  tables: () => deviceTables,
  rows: sql`device as f\n${zoneJoins}`,
  columns: {
    ...zoneColumns,
    ...columnsLike("dim_device", "device_id", "status"),
    state: {
      of: sql`f.state`,
      like: "dim_device.state",
      definition: "down, silent, unknown, up or replaced.",
      note: "A single check determines it. Silent: not down, but without plays in its zone for over 10 minutes of open time. Replaced: another device took over its zone.",
    },
    down_for_seconds: {
      of: sql`f.down_for_seconds`,
      label: "Down for",
      unit: "seconds",
      definition: "Time offline as of the last check, for devices that are down.",
    },
    silent_for_seconds: {
      of: sql`f.silent_for_seconds`,
      label: "Silent for",
      unit: "seconds",
      definition: "Open time since the zone's last play.",
      note: "Blank if the zone's opening hours or plays are unknown.",
    },
    ...columnsLike("dim_device", "last_online_at", "last_play_at", "last_sd_error"),
    storage_used_share: {
      of: sql`f.storage_used_share`,
      label: "Storage used",
      unit: "share",
      definition: "Used storage ÷ total storage.",
    },
    ...columnsLike("dim_device", "firmware", "version"),
  },
  facts: {
    devices: { label: "Devices", unit: "count", definition: "Listed devices of these zones." },
    devices_down: {
      label: "Down now",
      unit: "count",
      definition: "Devices that were down at their last check.",
    },
    devices_silent: {
      label: "Silent",
      unit: "count",
      definition: "Not down, but without plays in its zone for over 10 minutes of open time.",
    },
    devices_with_storage_error: {
      label: "Ever had a storage error",
      unit: "count",
      definition: "Devices that have ever reported a storage card error, however long ago.",
    },
  },
  filters: {
    zone: filters.zone,
    location: filters.location,
    group: filters.group,
    device: filters.device,
  },
  attributes: ["zone"],
  isInState: (states) => isIn(sql`f.state`, states, text),
  order: [
    sql`case
        when f.state = 'down' then 1
        when f.state = 'silent' then 2
        when f.state = 'unknown' then 3
        when f.state = 'replaced' then 6
        when f.last_sd_error is not null then 4
        else 5
    end`,
    sql`coalesce(f.down_for_seconds, 0) desc`,
    sql`coalesce(f.silent_for_seconds, 0) desc`,
    sql`f.zone_id`,
    sql`f.device_id`,
  ],
  incidents: {
    key: ["device_id"],
    subject: { noun: "device" },
    span: { start: "last_online_at", seconds: "down_for_seconds", of: ["down", "down_for_seconds"] },
    blankIsNone: ["down_for_seconds"],
    checks: { table: "dim_device", topic: "devices", otherState: "silent" },
  },
};
