import { isIn, sql, text } from "../compile/sql.ts";
import type { FilledReport } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import type { ReportEntry } from "./report-entry.ts";

const { campaign, zone, group, location, city } = dimensions;

/** States of a line of booked plays on the day of the data. `sql/reports/templates/delivery.sql` determines them. */
export const targetStates = ["upcoming", "running", "ended"] as const;

/**
 * Booked and delivered plays of each line of `reference/campaign_targets.csv`, over all its dates with data. By
 * campaign, one row per line.
 */
export const delivery: FilledReport & ReportEntry = {
  name: "delivery",
  summary: "booked and delivered plays of campaigns",
  defaultBy: ["campaign"],
  states: targetStates,
  statesTitle: "only … lines",
  isOfContent: true,
  collected: ["history", "campaigns"],
  dataOf: ["history", "campaigns"],
  notes: ["unlisted-campaigns", "early-lines", "booked-impressions"],
  template: "delivery",
  isTimeless: true,
  parts: { line: ["campaign", "kind"], zone: ["zone"] },
  dimensions: {
    campaign: {
      ...campaign,
      keys: { ...campaign.keys, valid_from: sql`f.valid_from`, valid_to: sql`f.valid_to` },
      columns: {
        ...campaign.columns,
        valid_from: {
          of: sql`nullif(r.valid_from, date '1900-01-01')`,
          like: "dim_campaign_target.valid_from",
        },
        valid_to: { of: sql`nullif(r.valid_to, date '2099-12-31')`, like: "dim_campaign_target.valid_to" },
      },
    },
    ...{ zone, group, location, city },
  },
  attributes: ["zone", "campaign"],
  filters: {
    zone: filters.zone,
    location: filters.location,
    group: filters.group,
    kind: filters.kind,
    campaign: filters.campaign,
  },
  measures: {
    status: {
      label: "Status",
      unit: "text",
      definition: "upcoming, running or ended, on the day of the data; blank if lines differ.",
    },
    booked: {
      label: "Booked",
      unit: "number",
      definition: "Plays booked over the dates of the line.",
      note: "A total is spread evenly over all scheduled zone days, and thereby among zones; plays per zone day are multiplied by their number. Blank without booked plays or an end.",
    },
    expected: {
      label: "Expected so far",
      unit: "number",
      definition: "Booked plays that were due on the settled zone days.",
      note: "Booked × settled ÷ scheduled zone days. For a line without scheduled zone days: booked × its settled days ÷ all its days.",
    },
    delivered: {
      label: "Delivered so far",
      unit: "number",
      definition:
        "Weighted plays on settled zone days: a play of a shared asset counts once over all campaigns.",
      note: "Like weighted_plays in plays by campaign. Plays on days on which the campaign was not scheduled are excluded. Blank without booked plays.",
    },
    delivered_share: {
      label: "Delivered share",
      unit: "share",
      definition: "Delivered ÷ expected so far; 100 % is on plan.",
    },
    difference: {
      label: "Difference",
      unit: "number",
      definition: "Delivered − expected so far; below 0 is under-delivery.",
    },
    difference_share: {
      label: "Difference share",
      unit: "share",
      definition: "Difference ÷ expected so far.",
    },
    pending_plays: {
      label: "Pending plays",
      unit: "number",
      definition:
        "Weighted plays on scheduled zone days that are not settled yet, so neither delivered nor expected.",
    },
    projected: {
      label: "Projected",
      unit: "count",
      definition: "Plays to be delivered by the end of the line.",
      note: "Delivered plays + delivered plays per settled zone day × remaining scheduled zone days. Blank if any remain while fewer than 7 dates are settled, or if the line has no end.",
    },
    projected_low: {
      label: "Projected, low",
      unit: "count",
      definition: "Lower end of the projection's range.",
      note: "Projected − 2 standard errors, estimated from how much plays per zone day vary between settled dates; at least the plays so far. In a row of several lines, their errors are treated as independent.",
    },
    projected_high: {
      label: "Projected, high",
      unit: "count",
      definition: "Upper end of the projection's range: projected + 2 standard errors.",
    },
    plays_per_zone_day: {
      like: "dim_campaign_target.plays_per_zone_day",
      definition: "Booked plays per scheduled zone day.",
      note: "Blank if lines differ.",
    },
    delivered_per_zone_day: {
      label: "Delivered per zone day",
      unit: "number",
      definition: "Delivered ÷ settled zone days, over lines with booked plays.",
    },
    compliance: {
      label: "Compliance",
      unit: "share",
      definition: "Days that ran ÷ (days that ran + missed + missed while down).",
      note: "Closed, pending and not measurable days are left out.",
    },
    compliance_target: {
      like: "dim_campaign_target.compliance",
      definition: "Compliance to reach.",
      note: "Blank if lines differ.",
    },
    compliance_difference: {
      label: "Compliance difference",
      unit: "share",
      definition: "Compliance − agreed compliance.",
    },
    scheduled_days: {
      label: "Scheduled days",
      unit: "count",
      definition:
        "Zone days of the line on which the campaign was scheduled, or will be according to the newest listings.",
      note: "Beyond 60 days after the data, as many per day as within these 60. Blank without an end.",
    },
    settled_days: {
      label: "Settled days",
      unit: "count",
      definition: "Scheduled zone days that are neither pending nor not measurable.",
      note: "Closed days are settled. Days that are pending or not measurable are treated as remaining, not as missing.",
    },
    booked_impressions: {
      label: "Booked impressions",
      unit: "number",
      definition: "Impressions booked over the dates of the line.",
      note: "Spread evenly over all scheduled zone days, and thereby among zones.",
    },
    delivered_impressions: {
      label: "Delivered impressions",
      unit: "number",
      definition: "Impressions of the weighted plays on settled zone days.",
      note: "Blank without booked impressions, or without a play at a time with footfall.",
    },
    impression_coverage: {
      label: "Impression coverage",
      unit: "share",
      definition: "Share of the weighted plays on settled zone days that began at a time with footfall.",
      note: "Blank without booked impressions.",
    },
  },
  order: ["kind", "campaign", "zone", "group", "location", "city"],
  isInState: (states) => isIn(sql`f.status`, states, text),
  // Lines for the same campaign differ in their first date.
  incidents: { key: ["valid_from"], sources: ["campaigns"] },
};
