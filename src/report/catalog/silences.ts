import { sql } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import type { ListReport } from "./list-report.ts";
import type { ReportEntry } from "./report-entry.ts";
import { silenceSums } from "./silence-sums.ts";
import { listedZone, zoneColumns, zoneJoins, zonePeriod } from "./zone-parts.ts";

/**
 * The silences that overlap the period: a device in the zone was up and the zone open, but nothing played for
 * over ten minutes. Their start and end are not clipped to the period, but `silent_seconds` is. A silence
 * continues over midnight while the zone is open.
 */
export const silences: ListReport & ReportEntry = {
  name: "silences",
  summary: "when zones were open but silent for over 10 minutes",
  grouped: silenceSums,
  top: "longest",
  pageOrder: "silent_seconds",
  collected: ["history", "devices"],
  dataOf: ["devices", "history"],
  notes: ["few-checks"],
  tables: (query) => [
    zonePeriod(query),
    listedZone,
    [
      "part",
      sql`select
    f.zone_id,
    f.from_at,
    cast(f.from_at + f.silent_seconds * interval '1' second as timestamp(6)) as until_at
from fact_silence as f
inner join zone_period as z on z.zone_id = f.zone_id`,
    ],
    // Parts that adjoin or overlap are one silence: a part ends with its day or opening, or another device has
    // its own.
    [
      "reached",
      sql`select
    part.*,
    max(until_at) over (
        partition by zone_id order by from_at, until_at
        rows between unbounded preceding and 1 preceding
    ) as reached_at
from part`,
    ],
    [
      "numbered",
      sql`select
    reached.*,
    count(case when reached_at is null or from_at > reached_at then 1 end) over (
        partition by zone_id order by from_at, until_at
        rows between unbounded preceding and current row
    ) as silence_no
from reached`,
    ],
    [
      "joined",
      sql`select zone_id, min(from_at) as started_at, max(until_at) as ended_at
from numbered
group by zone_id, silence_no`,
    ],
    // A zone whose devices left the listing cannot be silent now.
    [
      "known",
      sql`select
    d.zone_id,
    cast(date_trunc(
        'second',
        case when max(d.last_seen_at) < min(i.data_as_of) then max(d.last_seen_at) else min(i.data_as_of) end
    ) as timestamp(6)) as until_at
from dim_device as d
inner join listed_zone as l on l.zone_id = d.zone_id and l.requested_at <= d.last_seen_at
cross join mart_info as i
group by d.zone_id`,
    ],
    [
      "silence",
      sql`select
    s.zone_id,
    s.started_at,
    s.ended_at,
    k.until_at is not null and s.ended_at >= k.until_at as is_open,
    date_diff(
        'second',
        case when s.started_at < p.from_at then p.from_at else s.started_at end,
        case when s.ended_at > p.until_at then p.until_at else s.ended_at end
    ) as silent_seconds
from joined as s
inner join zone_period as p
    on p.zone_id = s.zone_id
    and s.started_at < p.until_at
    and s.ended_at > p.from_at
left join known as k on k.zone_id = s.zone_id`,
    ],
  ],
  rows: sql`silence as f\n${zoneJoins}`,
  columns: {
    ...zoneColumns,
    started_at: {
      of: sql`f.started_at`,
      label: "Began",
      unit: "instant",
      definition: "Start of the silence, in UTC.",
    },
    ended_at: {
      of: sql`case when not f.is_open then f.ended_at end`,
      label: "Ended",
      unit: "instant",
      definition: "End of the silence, in UTC; blank while ongoing.",
      note: "It also ends when the zone closes, or when its device goes down or its state becomes unknown.",
    },
    silent_seconds: {
      of: sql`f.silent_seconds`,
      like: "fact_device_day.silent_seconds",
      definition: "Silence within the period.",
      note: "Of a zone with several devices, time in which any of them was silent counts once.",
    },
    is_open: {
      of: sql`f.is_open`,
      label: "Still silent",
      unit: "yes or no",
      definition:
        "Whether the silence was ongoing at the end of the data: the zone's last check or the data as of, whichever is earlier.",
    },
  },
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  attributes: ["zone"],
  order: [sql`f.started_at`, sql`f.zone_id`],
  ranking: [sql`f.silent_seconds desc`],
  incidents: { key: ["zone_id"], sources: ["devices", "history"] },
};
