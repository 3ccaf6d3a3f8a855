import { getPeriod } from "../compile/request.ts";
import { date, sql } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import type { ListReport } from "./list-report.ts";
import type { ReportEntry } from "./report-entry.ts";
import { silenceSums, unknownQuiet } from "./silence-sums.ts";
import { zoneColumns, zoneJoins } from "./zone-parts.ts";

/**
 * The silences that overlap the period: the zone was open, but nothing played for over ten minutes, whatever the state
 * of its devices. Their start and end are not clipped to the period, but their seconds are. A silence continues over
 * midnight while the zone is open.
 */
export const silences: ListReport & ReportEntry = {
  name: "silences",
  summary: "when zones were open but silent for over 10 minutes",
  grouped: silenceSums,
  top: "longest",
  pageOrder: "quiet_seconds",
  collected: ["history"],
  dataOf: ["history"],
  notes: ["learnt-hours"],
  tables: (query) => {
    const { from, to } = getPeriod(query);
    const within = sql`date between ${date(from)} and ${date(to)}`;
    return [
      [
        "part",
        sql`select
    fact_quiet.*,
    cast(from_at + quiet_seconds * interval '1' second as timestamp(6)) as until_at
from fact_quiet`,
      ],
      // A part ends with its day or opening. Adjacent parts form one silence.
      [
        "begun",
        sql`select
    part.*,
    case when lag(until_at) over (partition by zone_id order by from_at) = from_at then 0 else 1 end as begins
from part`,
      ],
      [
        "numbered",
        sql`select
    begun.*,
    cast(sum(begins) over (partition by zone_id order by from_at) as bigint) as silence_no
from begun`,
      ],
      [
        "silence",
        sql`select
    zone_id,
    min(from_at) as started_at,
    max(until_at) as ended_at,
    max(until_at) >= max(i.known_until_at) as is_open,
    cast(sum(case when ${within} then quiet_seconds else 0 end) as bigint) as quiet_seconds,
    cast(sum(case when ${within} then silent_seconds else 0 end) as bigint) as silent_seconds,
    cast(sum(case when ${within} then quiet_down_seconds else 0 end) as bigint) as quiet_down_seconds
from numbered
cross join (select cast(date_trunc('second', data_as_of) as timestamp(6)) as known_until_at from mart_info) as i
group by zone_id, silence_no
having max(case when ${within} then 1 else 0 end) = 1`,
      ],
    ];
  },
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
      note: "It also ends when the zone closes.",
    },
    quiet_seconds: {
      of: sql`f.quiet_seconds`,
      like: "fact_zone_open_day.quiet_seconds",
      definition: "Silence within the period.",
    },
    silent_seconds: { of: sql`f.silent_seconds`, like: "fact_zone_open_day.silent_seconds" },
    quiet_down_seconds: { of: sql`f.quiet_down_seconds`, like: "fact_zone_open_day.quiet_down_seconds" },
    quiet_unknown_seconds: {
      ...unknownQuiet,
      of: sql`f.quiet_seconds - f.silent_seconds - f.quiet_down_seconds`,
    },
    is_open: {
      of: sql`f.is_open`,
      label: "Still silent",
      unit: "yes or no",
      definition: "Whether the silence was ongoing at the end of the known history.",
    },
  },
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  attributes: ["zone"],
  order: [sql`f.started_at`, sql`f.zone_id`],
  ranking: [sql`f.quiet_seconds desc`],
  incidents: {
    key: ["zone_id"],
    subject: { noun: "zone", state: "silent" },
    span: { start: "started_at", seconds: "quiet_seconds" },
    sources: ["history"],
  },
};
