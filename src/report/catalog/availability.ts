import { sql } from "../compile/sql.ts";
import { filters } from "./filters.ts";
import type { ListReport } from "./list-report.ts";
import { outages } from "./outages.ts";
import type { ProofTableForm } from "./proof.ts";
import { uptime } from "./uptime.ts";
import { zoneColumns, zoneJoins } from "./zone-parts.ts";

/** The requested zones, even without a check in the period. */
const zones: ListReport = {
  name: "proof",
  rows: sql`dim_zone as f\n${zoneJoins}`,
  columns: zoneColumns,
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  attributes: ["zone"],
  order: [sql`f.zone_id`],
};

/** Measures of `uptime` for which a target can be agreed. */
export const agreedMeasures = ["availability", "open_availability", "availability_without_planned"] as const;

const times = ["up_seconds", "down_seconds", "planned_down_seconds", "unknown_seconds"];
const figures = { rows: uptime, measures: [...agreedMeasures, "coverage", ...times] };

/** The tables of an availability statement, in order. */
export const availabilityTables = {
  total: { ...figures, key: [] },
  months: { ...figures, key: ["month"], by: ["month"] },
  zones: { rows: zones, key: ["zone_id"] },
  measured: { ...figures, key: ["zone_id"], by: ["zone"] },
  outages: { rows: outages, key: ["device_id", "started_at"] },
} satisfies Record<string, ProofTableForm>;
