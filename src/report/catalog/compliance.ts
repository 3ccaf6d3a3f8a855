import { date, isIn, type Sql, sql, text } from "../compile/sql.ts";
import type { AggregateReport, Join, NestedGrouping } from "./aggregate-report.ts";
import { complianceReasons, complianceStates } from "./compliance-states.ts";
import { dimensions } from "./dimensions.ts";
import { filters } from "./filters.ts";
import { amount, countIf, ratio, sums } from "./measures.ts";
import type { ReportEntry } from "./report-entry.ts";

const isMeasured = sql`f.state in ('compliant', 'missed', 'missed_offline')`;
/** Due times are known only if a device was up. */
const ifUp = (value: Sql) => sql`case when f.state in ('compliant', 'missed') then ${value} end`;
const ifMeasured = (value: Sql) => sql`case when ${isMeasured} then ${value} end`;

/** Days on which a device of the zone is known to have been down. */
const downJoin: Join = (_query, { from, to }) => sql`left join (
    select distinct zone_id, date
    from fact_device_day
    where down_seconds > 0 and date between ${date(from)} and ${date(to)}
) as o
    on o.zone_id = f.zone_id
    and o.date = f.date`;

/** Days on which the state of one of the zone's devices is known for at least part of the day. */
const checkedJoin: Join = (_query, { from, to }) => sql`left join (
    select distinct zone_id, date
    from fact_device_day
    where up_seconds + down_seconds > 0 and date between ${date(from)} and ${date(to)}
) as c
    on c.zone_id = f.zone_id
    and c.date = f.date`;

/** Dates of a row with their outcomes, and the last date on which a campaign ran. */
const outcomes: NestedGrouping = {
  where: isMeasured,
  keys: { on_date: sql`f.date` },
  sums: {
    has_run: sql`max(case when f.state = 'compliant' then 1 else 0 end)`,
    has_missed: sql`max(case when f.state <> 'compliant' then 1 else 0 end)`,
  },
  windows: (over) => ({ last_run: sql`max(case when n.has_run = 1 then n.on_date end) over (${over})` }),
};

const { campaign, zone, group, location, city, reason, date: day } = dimensions;
const { week, month, quarter, weekday } = dimensions;
const timeSteps = ["date", "week", "month", "quarter"];

/** Campaign days by outcome: where and when campaigns ran as scheduled. */
export const compliance: AggregateReport & ReportEntry = {
  name: "compliance",
  summary: "whether campaigns ran where and when they were scheduled",
  states: [...complianceStates, ...complianceReasons],
  statesTitle: "only with … days",
  threshold: "compliance",
  isExplained: true,
  isOfContent: true,
  compared: "compliance",
  unsettled: "pending_days",
  collected: ["history", "campaigns", "devices"],
  dataOf: ["history", "campaigns"],
  notes: ["compliance"],
  steps: ["campaign", "zone", "date"],
  sources: [{ rows: sql`fact_campaign_zone_day`, keys: ["zone", "campaign", "kind", "reason", "date"] }],
  dimensions: { campaign, zone, group, location, city, reason, date: day, week, month, quarter, weekday },
  attributes: ["zone", "campaign"],
  filters: {
    zone: filters.zone,
    location: filters.location,
    group: filters.group,
    kind: filters.kind,
    campaign: filters.campaign,
  },
  aggregates: {
    scheduled_days: countIf(sql`f.state <> 'unscheduled'`),
    compliant_days: countIf(sql`f.state = 'compliant'`),
    missed_days: countIf(sql`f.state = 'missed'`),
    missed_offline_days: countIf(sql`f.state = 'missed_offline'`),
    closed_days: countIf(sql`f.state = 'closed'`),
    not_measurable_days: countIf(sql`f.state = 'not_measurable'`),
    pending_days: countIf(sql`f.state = 'pending'`),
    unscheduled_days: countIf(sql`f.state = 'unscheduled'`),
    assumed_days: countIf(sql`f.state <> 'unscheduled' and f.is_assumed`),
    missed_down_days: { ...countIf(sql`f.state = 'missed' and o.zone_id is not null`), joins: [downJoin] },
    device_unchecked_days: {
      ...countIf(sql`f.state = 'missed' and c.zone_id is null`),
      joins: [checkedJoin],
    },
    active_assets: { is: "sum", of: ifMeasured(sql`f.active_assets`) },
    played_assets: { is: "sum", of: ifMeasured(sql`f.played_assets`) },
    due_times: { is: "sum", of: ifUp(sql`f.due_times`) },
    met_times: { is: "sum", of: ifUp(sql`f.met_times`) },
    ...sums("candidate_plays", "exclusive_plays", "complete_plays", "measured_plays"),
    zones_scheduled: { is: "distinct", of: sql`case when f.state <> 'unscheduled' then f.zone_id end` },
    zones_reached: { is: "distinct", of: sql`case when f.state = 'compliant' then f.zone_id end` },
    last_played: { is: "max", type: "date", of: sql`case when f.state = 'compliant' then f.date end` },
    first_missed: {
      is: "min",
      type: "date",
      of: sql`case when n.has_missed = 1 and n.on_date > coalesce(n.last_run, date '1900-01-01') then n.on_date end`,
      nested: outcomes,
    },
  },
  measures: {
    scheduled_days: amount("scheduled_days", {
      label: "Scheduled days",
      unit: "count",
      definition:
        "Zone days on which a campaign was listed and enabled, within its dates and its rule, with at least one asset active.",
    }),
    compliant_days: amount("compliant_days", {
      label: "Days that ran",
      unit: "count",
      definition: "Scheduled zone days on which at least one of the campaign's assets played.",
    }),
    missed_days: amount("missed_days", {
      label: "Missed",
      unit: "count",
      definition:
        "Scheduled zone days without a play of the campaign's assets although a device was up for at least part of the day, or the zone had other plays.",
    }),
    missed_offline_days: amount("missed_offline_days", {
      label: "Missed while down",
      unit: "count",
      definition:
        "Scheduled zone days without a play of the campaign's assets, on which the device was down and never known to be up.",
    }),
    closed_days: amount("closed_days", {
      label: "Closed",
      unit: "count",
      definition:
        "Scheduled zone days without any plays on which the zone has no opening hours; excluded from compliance.",
      note: "A zone without given hours is treated as closed if it did not play on this weekday in the surrounding four weeks, but did on other days.",
    }),
    not_measurable_days: amount("not_measurable_days", {
      label: "Not measurable",
      unit: "count",
      definition:
        "Scheduled zone days with too little information: listings disagree, or neither plays nor the device's state are known.",
    }),
    pending_days: amount("pending_days", {
      label: "Pending",
      unit: "count",
      definition:
        "Scheduled zone days whose history is not settled yet; it is complete some days after the end of the day.",
      note: "VENUE_SETTLE_DAYS sets the number of days; the default is 3.",
    }),
    unscheduled_days: amount("unscheduled_days", {
      label: "Unscheduled",
      unit: "count",
      definition:
        "Zone days on which a campaign played although it was not scheduled; reported, but excluded from compliance.",
    }),
    compliance: {
      of: ratio(sql`r.compliant_days`, sql`r.compliant_days + r.missed_days + r.missed_offline_days`),
      label: "Compliance",
      unit: "share",
      definition: "Days that ran ÷ (days that ran + missed + missed while down).",
      note: "Closed, pending and not measurable days are left out.",
    },
    coverage: {
      of: sql`1 - ${ratio(sql`r.not_measurable_days`, sql`r.scheduled_days - r.pending_days - r.closed_days`)}`,
      label: "Coverage",
      unit: "share",
      definition:
        "Share of the requested data that could be measured; the other figures refer only to that part.",
      note: "1 − not measurable ÷ (scheduled − pending − closed).",
    },
    asset_coverage: {
      of: ratio(sql`r.played_assets`, sql`r.active_assets`),
      label: "Asset coverage",
      unit: "share",
      definition: "Assets that played ÷ assets that were active, over the days that compliance includes.",
    },
    due_times: {
      of: sql`r.due_times`,
      like: "fact_campaign_zone_day.due_times",
      definition:
        "Times of day at which campaigns were due while zones were open, on days that ran and on days missed although a device was up for at least part of the day.",
      note: "Blank if no rule contains times.",
    },
    met_times: {
      of: sql`r.met_times`,
      like: "fact_campaign_zone_day.met_times",
      definition:
        "Due times at which the campaign ran: a candidate play began then, or less than VENUE_SLOT_MINUTES later, on the same day.",
    },
    punctuality: {
      of: ratio(sql`r.met_times`, sql`r.due_times`),
      label: "Punctuality",
      unit: "share",
      definition: "Met times ÷ due times.",
      note: "Blank if no rule contains times.",
    },
    candidate_plays: amount("candidate_plays", { like: "fact_campaign_zone_day.candidate_plays" }),
    exclusive_plays: amount("exclusive_plays", { like: "fact_campaign_zone_day.exclusive_plays" }),
    complete_plays: amount("complete_plays", { like: "fact_campaign_zone_day.complete_plays" }),
    measured_plays: amount("measured_plays", { like: "fact_campaign_zone_day.measured_plays" }),
    zones_scheduled: {
      ...amount("zones_scheduled", {
        label: "Zones scheduled",
        unit: "count",
        definition: "Zones with at least one scheduled day.",
      }),
      single: ["zone"],
    },
    zones_reached: {
      ...amount("zones_reached", {
        label: "Zones reached",
        unit: "count",
        definition: "Zones with at least one day that ran.",
      }),
      single: ["zone"],
    },
    last_played_date: {
      of: sql`r.last_played`,
      label: "Last ran",
      unit: "date",
      definition: "Last local date in the period with a day that ran; blank if none did.",
      note: "In a row of several campaigns or zones, the last date on which any of them ran.",
      single: ["reason", ...timeSteps],
      isUncompared: true,
    },
    first_missed_date: {
      of: sql`r.first_missed`,
      label: "Missed since",
      unit: "date",
      definition:
        "First local date in the period with a missed day after the last date that ran, whether or not the device was down; blank if there is none.",
      note: "If no day ran, the first missed date of the period. If this is the first day with data or of the period, earlier days may have been missed, too.",
      single: timeSteps,
      isUncompared: true,
    },
    assumed_days: {
      ...amount("assumed_days", {
        label: "Assumed days",
        unit: "count",
        definition:
          "Scheduled zone days whose schedule is assumed, because the zone had no listing of its own yet.",
      }),
      isHidden: true,
    },
    device_unchecked_days: {
      ...amount("device_unchecked_days", {
        label: "Missed, device not checked",
        unit: "count",
        definition: "Missed days on which no state of the zone's devices is known.",
      }),
      isHidden: true,
    },
    missed_down_days: {
      ...amount("missed_down_days", {
        label: "Missed with downtime",
        unit: "count",
        definition:
          "Missed days on which a device of the zone is known to have been down for part of the day.",
      }),
      isHidden: true,
    },
  },
  order: ["kind", "campaign", "zone", "group", "location", "city", "reason", ...timeSteps, "weekday"],
  isInState: (states) => sql`(${isIn(sql`f.state`, states, text)} or ${isIn(sql`f.reason`, states, text)})`,
  incidents: { sources: ["campaigns"] },
};
