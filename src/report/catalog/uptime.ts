import { date, sql } from "../compile/sql.ts";
import type { AggregateReport, Join } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, ratio, sums } from "./measures.ts";
import type { ReportEntry } from "./report-entry.ts";

/** Usual time between two checks of a zone's devices: the median in its group, or the shortest median of its groups. */
const resolutionJoin: Join = (_query, { from, to }) => sql`left join (
    select b.zone_id, min(g.gap_seconds) as resolution_seconds
    from (
        select
            group_id,
            gap_seconds,
            row_number() over (partition by group_id order by gap_seconds) as place,
            count(*) over (partition by group_id) as gaps
        from (
            select
                group_id,
                date_diff(
                    'second', lag(checked_at) over (partition by group_id order by checked_at), checked_at
                ) as gap_seconds
            from (
                select distinct group_id, cast(date_trunc('second', requested_at) as timestamp(6)) as checked_at
                from fact_snapshot
                where
                    source = 'devices'
                    and cast(requested_at as date) between cast(${date(from)} - interval '1' day as date)
                    and cast(${date(to)} + interval '1' day as date)
            ) as listing
        ) as gap
        where gap_seconds is not null
    ) as g
    inner join bridge_group_zone as b on b.group_id = g.group_id
    where g.place * 2 in (g.gaps, g.gaps + 1)
    group by b.zone_id
) as s on s.zone_id = f.zone_id`;

const { device, zone, location, city, group, date: day, week, month, quarter, weekday } = dimensions;
const { platform, model, firmware } = dimensions;
const fact = (column: string) => amount(column, { like: `fact_device_day.${column}` });

/**
 * Uptime and downtime. Rows by device, platform, model or firmware measure devices. Other rows measure zones, which are
 * up while any of their devices is up.
 */
export const uptime: AggregateReport & ReportEntry = {
  name: "uptime",
  summary: "how long devices were up and down",
  threshold: "availability",
  compared: "availability",
  // The state of a device is unknown until its first check.
  isFirstDayPartial: true,
  collected: ["devices"],
  dataOf: ["devices", "history", "notices"],
  notes: ["few-checks", "planned-notices"],
  steps: ["zone", "device", "date"],
  sources: [
    { rows: sql`fact_zone_uptime`, keys: ["zone", "date"] },
    { rows: sql`fact_device_day`, keys: ["zone", "device", "date"] },
  ],
  dimensions: {
    ...{ device, zone, location, city, group, date: day, week, month, quarter, weekday },
    ...{ platform, model, firmware },
  },
  attributes: ["zone"],
  filters: {
    zone: filters.zone,
    location: filters.location,
    group: filters.group,
    device: filters.device,
  },
  aggregates: {
    ...sums("up_seconds", "down_seconds", "unknown_seconds", "open_up_seconds", "open_down_seconds"),
    ...sums("planned_down_seconds", "silent_seconds", "playing_while_down_seconds", "outages"),
    devices: { is: "distinct", of: sql`f.device_id`, needs: ["device"] },
    resolution: { is: "max", of: sql`s.resolution_seconds`, joins: [resolutionJoin] },
  },
  measures: {
    devices: {
      ...amount("devices", { label: "Devices", unit: "count", definition: "Devices counted in the row." }),
      single: ["device"],
    },
    up_seconds: fact("up_seconds"),
    down_seconds: fact("down_seconds"),
    unknown_seconds: fact("unknown_seconds"),
    availability: {
      of: ratio(sql`r.up_seconds`, sql`r.up_seconds + r.down_seconds`),
      label: "Availability",
      unit: "share",
      definition: "Up ÷ (up + down).",
      note: "Unknown time is excluded; see coverage.",
    },
    coverage: {
      of: ratio(sql`r.up_seconds + r.down_seconds`, sql`r.up_seconds + r.down_seconds + r.unknown_seconds`),
      label: "Coverage",
      unit: "share",
      definition:
        "Share of the requested data that could be measured; the other figures refer only to that part.",
      note: "Known time ÷ all time from the first to the last check of a device.",
    },
    open_availability: {
      of: ratio(sql`r.open_up_seconds`, sql`r.open_up_seconds + r.open_down_seconds`),
      label: "Availability while open",
      unit: "share",
      definition: "Availability within opening hours, given or learnt, because shops cut the power at night.",
    },
    planned_down_seconds: fact("planned_down_seconds"),
    availability_without_planned: {
      of: ratio(sql`r.up_seconds`, sql`r.up_seconds + r.down_seconds - r.planned_down_seconds`),
      label: "Availability without planned work",
      unit: "share",
      definition: "Availability with downtime during announced maintenance excluded.",
      note: "The service does not assign notices to zones, so announced maintenance applies to all. A notice without an end applies until its announced end.",
    },
    outages: fact("outages"),
    silent_seconds: fact("silent_seconds"),
    playing_while_down_seconds: fact("playing_while_down_seconds"),
    resolution_seconds: {
      of: sql`r.resolution`,
      label: "Resolution",
      unit: "seconds",
      definition:
        "The usual time between two checks of a device, which limits how precisely up and down times are known.",
      isUncompared: true,
    },
  },
  order: [
    ...["group", "location", "city", "zone", "device", "date", "week", "month", "quarter", "weekday"],
    ...["platform", "model", "firmware"],
  ],
};
