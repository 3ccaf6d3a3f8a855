import type { Definition } from "../../mart/column-definition.ts";
import { sql } from "../compile/sql.ts";
import type { AggregateReport, Measure } from "./aggregate-report.ts";
import { bitsOf, dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, countIf, ratio, sums } from "./measures.ts";

const { zone, location, city, group, date, week, month, quarter, weekday } = dimensions;

export const quietShare: Measure = {
  of: ratio(sql`r.quiet_seconds`, sql`r.open_seconds`),
  label: "Quiet share",
  unit: "share",
  definition: "Quiet time ÷ open time.",
};

export const unknownQuiet: Definition = {
  label: "Quiet, state unknown",
  unit: "seconds",
  definition: "Quiet time in which no device of the zone was known to be up or down.",
};

/** Quiet time summed by zone and time. */
export const silenceSums: AggregateReport = {
  name: "silences",
  sources: [{ rows: sql`fact_zone_open_day`, keys: ["zone", "date"] }],
  dimensions: { zone, location, city, group, date, week, month, quarter, weekday },
  attributes: ["zone"],
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  aggregates: {
    ...sums("quiet_seconds", "open_seconds", "silent_seconds", "quiet_down_seconds"),
    quiet_days: countIf(sql`f.quiet_seconds > 0`),
    quiet_zones: {
      is: "distinct",
      of: sql`case when f.quiet_seconds > 0 then f.zone_id end`,
      bits: bitsOf.zone,
    },
  },
  measures: {
    quiet_seconds: amount("quiet_seconds", { like: "fact_zone_open_day.quiet_seconds" }),
    open_seconds: amount("open_seconds", { like: "fact_zone_open_day.open_seconds" }),
    quiet_share: quietShare,
    silent_seconds: amount("silent_seconds", { like: "fact_zone_open_day.silent_seconds" }),
    quiet_down_seconds: amount("quiet_down_seconds", { like: "fact_zone_open_day.quiet_down_seconds" }),
    quiet_unknown_seconds: {
      ...unknownQuiet,
      of: sql`coalesce(r.quiet_seconds - r.silent_seconds - r.quiet_down_seconds, 0)`,
    },
    quiet_days: {
      ...amount("quiet_days", {
        label: "Quiet zone days",
        unit: "count",
        definition: "Zone days with quiet time.",
      }),
      single: ["date"],
    },
    quiet_zones: {
      ...amount("quiet_zones", {
        label: "Quiet zones",
        unit: "count",
        definition: "Number of different zones with quiet time.",
      }),
      single: ["zone"],
    },
  },
  order: ["group", "location", "city", "zone", "date", "week", "month", "quarter", "weekday"],
  ranking: "quiet_seconds",
  incidents: { sources: ["history"] },
};
