import { joinTables } from "../compile/sql.ts";
import type { FilledReport } from "./aggregate-report.ts";
import { delivery } from "./delivery.ts";
import { deviceTables } from "./devices.ts";
import { dimensions } from "./dimensions.ts";
import type { ReportEntry } from "./report-entry.ts";

const { campaign, zone, group, location, city, date } = dimensions;

/**
 * Upcoming campaigns, from the newest listings and rules: scheduled days in the period, campaigns that end in it, and
 * campaigns that are not ready.
 */
export const schedule: FilledReport & ReportEntry = {
  name: "schedule",
  summary: "which campaigns run next, end soon, or are not ready",
  defaultBy: ["campaign", "zone"],
  pageOrder: "not_ready",
  isAhead: true,
  collected: ["campaigns", "devices"],
  dataOf: ["campaigns"],
  steps: ["campaign", "zone", "date"],
  template: "schedule",
  parts: { day: ["date"], zone: ["zone"], campaign: ["campaign", "kind"] },
  pieces: () => ({ devices: joinTables(deviceTables) }),
  dimensions: { campaign, zone, group, location, city, date },
  attributes: delivery.attributes,
  filters: delivery.filters,
  measures: {
    campaigns: {
      label: "Campaigns",
      unit: "count",
      definition: "Campaigns that are scheduled in the period, or should be but are not ready.",
      single: ["campaign"],
    },
    zones: {
      label: "Zones",
      unit: "count",
      definition: "Zones in which they should run.",
      single: ["zone"],
    },
    scheduled_days: {
      label: "Scheduled days",
      unit: "count",
      definition:
        "Zone days of the period on which a campaign should run: it is listed and enabled, within its dates and its rule, with at least one asset active.",
      note: "According to the newest listings, in zones that play the kind.",
    },
    not_ready: {
      label: "Not ready",
      unit: "count",
      definition: "Campaigns per zone with a reason why they may not run as scheduled.",
    },
    reasons: {
      label: "Reasons",
      unit: "text",
      definition: "Why they are not ready.",
      note: "No active asset; assets end before the campaign; no occurrence left; unreadable rule or date; zone closed (its given opening hours exclude all days); devices down; zone silent. Devices are as of the data.",
    },
    first_date: {
      label: "First scheduled",
      unit: "date",
      definition: "First scheduled day of the period.",
    },
    last_date: { label: "Last scheduled", unit: "date", definition: "Last scheduled day of the period." },
    end_date: {
      label: "Ends on",
      unit: "date",
      definition: "Last day of the campaign, or the earliest of several; blank if no end is known.",
      note: "The campaign's last date, or the last occurrence of a rule whose UNTIL is in the period. COUNT is not considered.",
    },
    ends_in_days: {
      label: "Ends in days",
      unit: "count",
      definition: "Days from the day of the data to the campaign's last day.",
    },
    ending: {
      label: "Ending",
      unit: "count",
      definition: "Campaigns per zone that end in the period.",
    },
  },
  order: ["kind", "campaign", "zone", "group", "location", "city", "date"],
  incidents: { sources: ["campaigns", "assets"], blankIsNone: ["ends_in_days"] },
};
