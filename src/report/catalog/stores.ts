import { date, type Sql, sql, text } from "../compile/sql.ts";
import type { Aggregate, AggregateReport, Key, Source } from "./aggregate-report.ts";
import { dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, countIf, ratio, sums } from "./measures.ts";
import type { ReportEntry } from "./report-entry.ts";
import { quietShare } from "./silence-sums.ts";
import { listedZone } from "./zone-parts.ts";

/** Ratio of days, time or opening hours that may be lost before a store's status is bad. */
const toleratedLoss = 0.05;

export const statusRule =
  "bad if over 5 % of the counted campaign days were missed, devices were down for over 5 % of the known time, or nothing played for over 5 % of the open time; good if none of this happened at all and no device is down now; otherwise needs attention.";

/** Listed devices that are down now, dated the last day of the period even if that day is in the past. */
const downDevices: Source["rows"] = ({ to }) => sql`(
    select d.zone_id, ${date(to)} as date
    from dim_device as d
    left join (${listedZone[1]}) as k on k.zone_id = d.zone_id
    where d.state = 'down' and (k.requested_at is null or d.last_seen_at >= k.requested_at)
)`;

const isCounted = sql`f.state in ('compliant', 'missed', 'missed_offline')`;
const availability = ratio(sql`r.up_seconds`, sql`r.up_seconds + r.down_seconds`);
const compliance = ratio(sql`r.compliant_days`, sql`r.counted_days`);
/** 1 − compliance would be inexact. */
const missedShare = ratio(sql`r.counted_days - r.compliant_days`, sql`r.counted_days`);
const downShare = ratio(sql`r.down_seconds`, sql`r.up_seconds + r.down_seconds`);

/** Returns a condition for stores where any loss exceeds a ratio. */
const losesOver = (share: number): Sql => {
  const limit = sql`cast(${text(String(share))} as double)`;
  return sql`coalesce(${missedShare}, 0) > ${limit} or coalesce(${downShare}, 0) > ${limit} or coalesce(${quietShare.of}, 0) > ${limit}`;
};

function needing(key: Key, aggregates: Readonly<Record<string, Aggregate>>): Record<string, Aggregate> {
  return Object.fromEntries(Object.entries(aggregates).map(([one, of]) => [one, { ...of, needs: [key] }]));
}

const { zone, location, city, group, date: day, week, month, quarter, weekday } = dimensions;
const times = ["date", "week", "month", "quarter", "weekday"];

/** The main measures of each store side by side: what played, whether campaigns ran, and whether devices were up. */
export const stores: AggregateReport & ReportEntry = {
  name: "stores",
  summary: "how each store is doing: plays, campaigns, devices, quiet time, and a status",
  defaultBy: ["location"],
  compared: "plays",
  unsettled: "pending_days",
  collected: ["history", "campaigns", "devices"],
  dataOf: ["history", "campaigns"],
  notes: ["store-status", "few-checks"],
  steps: ["location", "zone", "date"],
  sources: [
    { rows: sql`fact_play_zone_day`, keys: ["zone", "date", "play"] },
    { rows: sql`fact_campaign_zone_day`, keys: ["zone", "date", "campaign"] },
    { rows: sql`fact_zone_uptime`, keys: ["zone", "date", "uptime"] },
    { rows: sql`fact_zone_open_day`, keys: ["zone", "date", "opening"] },
    { rows: downDevices, keys: ["zone", "date", "device"] },
  ],
  dimensions: { location, city, zone, group, date: day, week, month, quarter, weekday },
  attributes: ["zone"],
  filters: { zone: filters.zone, location: filters.location, group: filters.group },
  aggregates: {
    plays: { is: "sum", of: sql`f.plays`, needs: ["play"] },
    compliant_days: { ...countIf(sql`f.state = 'compliant'`), needs: ["campaign"] },
    counted_days: { ...countIf(isCounted), needs: ["campaign"] },
    pending_days: { ...countIf(sql`f.state = 'pending'`), needs: ["campaign"] },
    ...needing("uptime", sums("up_seconds", "down_seconds")),
    ...needing("opening", sums("open_seconds", "quiet_seconds")),
    devices_down: { is: "sum", of: sql`1`, needs: ["device"] },
  },
  measures: {
    status: {
      of: sql`case
        when ${losesOver(toleratedLoss)} then 'bad'
        when ${losesOver(0)} or coalesce(r.devices_down, 0) > 0 then 'needs attention'
        when r.counted_days > 0 or r.up_seconds > 0 then 'good'
        else 'not known yet'
    end`,
      label: "Status",
      unit: "text",
      definition: statusRule,
      note: "not known yet without counted days and known time. In rows over time, a device that is down now affects only the last day.",
      isUncompared: true,
    },
    plays: amount("plays", { like: "fact_play_day.plays" }),
    compliance: {
      of: compliance,
      label: "Compliance",
      unit: "share",
      definition: "Days that ran ÷ (days that ran + missed + missed while down).",
      note: "Closed, pending and not measurable days are left out.",
    },
    availability: {
      of: availability,
      label: "Availability",
      unit: "share",
      definition: "Up ÷ (up + down).",
      note: "Unknown time is excluded.",
    },
    quiet_share: quietShare,
    devices_down: {
      ...amount("devices_down", {
        label: "Devices down now",
        unit: "count",
        definition: "Listed devices that are down as of the data, whatever the period.",
      }),
      single: times,
      isUncompared: true,
    },
    pending_days: {
      ...amount("pending_days", {
        label: "Pending",
        unit: "count",
        definition:
          "Scheduled zone days whose history is not settled yet; it is complete some days after the end of the day.",
        note: "VENUE_SETTLE_DAYS sets the number of days; the default is 3.",
      }),
      isHidden: true,
    },
  },
  order: ["location", "city", "zone", "group", ...times],
  incidents: { sources: ["history", "campaigns", "devices"], needsWholePeriod: true },
};
