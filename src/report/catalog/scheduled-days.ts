import { sql } from "../compile/sql.ts";
import type { AggregateReport } from "./aggregate-report.ts";
import { compliance } from "./compliance.ts";
import { amount, countIf } from "./measures.ts";

const listingJoin = sql`left join (
    select kind, zone_id, max(owner_kind) as owner_kind, cast(min(first_at) as date) as first_listed
    from bridge_zone_listing
    group by kind, zone_id
) as b
    on b.kind = f.kind
    and b.zone_id = f.zone_id`;
const firstListed = {
  of: sql`case when b.owner_kind = 'zone' then b.first_listed end`,
  joins: [listingJoin],
  type: "date",
} as const;

/** Counts scheduled days whose schedule is assumed, for a note. */
export const scheduledDays: AggregateReport = {
  name: "compliance",
  sources: compliance.sources.map((source) => ({ ...source, where: sql`f.state <> 'unscheduled'` })),
  dimensions: {},
  attributes: compliance.attributes,
  filters: compliance.filters,
  aggregates: {
    scheduled_days: { is: "sum", of: sql`1` },
    assumed_days: countIf(sql`f.is_assumed`),
    group_days: { ...countIf(sql`f.is_assumed and b.owner_kind = 'group'`), joins: [listingJoin] },
    first_listed: { ...firstListed, is: "min" },
    last_listed: { ...firstListed, is: "max" },
  },
  measures: {
    scheduled_days: amount("scheduled_days", {
      label: "Scheduled days",
      unit: "count",
      definition: "Zone days on which a campaign was scheduled.",
    }),
    assumed_days: amount("assumed_days", {
      label: "Assumed days",
      unit: "count",
      definition: "Scheduled days whose schedule is assumed.",
    }),
    group_days: amount("group_days", {
      label: "Days of groups",
      unit: "count",
      definition: "Assumed days whose schedule is taken from the listings of the zone's groups.",
    }),
    first_listed: {
      of: sql`r.first_listed`,
      label: "First listed",
      unit: "date",
      definition: "Date in UTC of the earliest first listing of a zone.",
    },
    last_listed: {
      of: sql`r.last_listed`,
      label: "Last listed",
      unit: "date",
      definition: "Date in UTC of the latest first listing of a zone.",
    },
  },
  order: [],
};
