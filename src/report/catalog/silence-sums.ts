import { sql } from "../compile/sql.ts";
import type { AggregateReport, Measure } from "./aggregate-report.ts";
import { bitsOf, dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, countIf, ratio, sums } from "./measures.ts";

const { zone, location, city, group, date, week, month, quarter, weekday } = dimensions;

export const silentShare: Measure = {
  of: ratio(sql`r.silent_seconds`, sql`r.open_up_seconds`),
  label: "Silent share",
  unit: "share",
  definition: "Silent time ÷ time in which the zone was open and a device up.",
};

/** Silences summed by zone and time. */
export const silenceSums: AggregateReport = {
  name: "silences",
  sources: [{ rows: sql`fact_zone_uptime`, keys: ["zone", "date"] }],
  dimensions: { zone, location, city, group, date, week, month, quarter, weekday },
  attributes: ["zone"],
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  aggregates: {
    ...sums("silent_seconds", "open_up_seconds"),
    silent_days: countIf(sql`f.silent_seconds > 0`),
    silent_zones: {
      is: "distinct",
      of: sql`case when f.silent_seconds > 0 then f.zone_id end`,
      bits: bitsOf.zone,
    },
  },
  measures: {
    silent_seconds: amount("silent_seconds", {
      like: "fact_device_day.silent_seconds",
      definition:
        "Time in which the zone was open and a device up, but nothing had played for over ten minutes.",
      note: "Of a zone with several devices, time counts once.",
    }),
    open_up_seconds: amount("open_up_seconds", {
      like: "fact_device_day.open_up_seconds",
      definition: "Time in which the zone was open and a device up.",
    }),
    silent_share: silentShare,
    silent_days: {
      ...amount("silent_days", {
        label: "Silent zone days",
        unit: "count",
        definition: "Zone days with a silence.",
      }),
      single: ["date"],
    },
    silent_zones: {
      ...amount("silent_zones", {
        label: "Silent zones",
        unit: "count",
        definition: "Number of different zones with a silence.",
      }),
      single: ["zone"],
    },
  },
  order: ["group", "location", "city", "zone", "date", "week", "month", "quarter", "weekday"],
  ranking: "silent_seconds",
  incidents: { sources: ["devices", "history"] },
};
