import { toAddress } from "../../address/address.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import {
  type ComplianceReason,
  complianceReasonNames,
  complianceStateNames,
} from "../../catalog/compliance-states.ts";
import { nameCampaign, nameZone } from "../../findings/names.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity, joinWords } from "../../text/readable-text.ts";
import { type HeatLevel, palette } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";
import { type DayMap, drawDays } from "../read/draw-days.ts";
import { mapZones } from "../read/draw-zone-map.ts";
import { explainNoData } from "../read/explain-nothing.ts";
import { rank, rankAttributes } from "../read/rank-rows.ts";
import type { FactDeclaration, PageDeclaration, TotalledPage } from "../report-page.ts";

export function declareCompliance({ options }: PageSources): PageDeclaration {
  return {
    // The total covers all states, even if `--only` limits the rows.
    total: async ({ read }) => (await read({ onlyStates: [] }))[0] ?? {},
    explain: explainNoData("scheduled_days"),
    headline: ({ total, when }) => summarizeCompliance(total, when),
    coverage: ({ total: { coverage } }) =>
      coverage == null
        ? "no scheduled day could be measured yet"
        : `${formatPercent(Number(coverage))} of scheduled days could be measured`,
    facts,
    charts: [
      rankAttributes({
        title: "Missed days",
        value: "(r.missed_days + r.missed_offline_days)",
        textOf: formatCount,
      }),
      mapZones({
        title: "Map of compliance",
        figure: "compliance",
        amount: "r.compliant_days",
        total: "(r.compliant_days + r.missed_days + r.missed_offline_days)",
        target: options.failUnder,
        shares: ["nothing missed", "under half missed", "half or more missed", "no day has a result"],
        textOf: (ran, counted) =>
          `${formatCount(ran)} of ${formatQuantity(counted, "zone day")} ran, ${formatPercent(ran / counted)}`,
      }),
      drawDays([
        {
          ...{ title: "Campaigns", by: ["campaign"], keys: ["campaign_key"], subject: "campaign" },
          ...{ order: "campaign_name, campaign_key", select: (campaignKeys) => ({ campaignKeys }) },
          labelOf: (row, { names }) => nameCampaign(row, names),
          ...describeCells("campaign", "zone"),
        },
        {
          ...{ title: "Zones", by: ["zone"], keys: ["zone_id"], subject: "zone" },
          ...{ order: "zone_name, zone_id", select: (zoneIds) => ({ zoneIds }) },
          labelOf: (row, { names }) => nameZone(row, names),
          ...describeCells("zone", "campaign"),
        },
      ]),
      rank({
        title: "Missed days by reason",
        by: ["reason"],
        value: "(r.missed_days + r.missed_offline_days)",
        where: "r.missed_days + r.missed_offline_days > 0",
        keys: ["reason"],
        headings: ["reason", "missed days"],
        textOf: formatCount,
        isWorthDrawing: (values) => values.length > 1,
        labelOf: ({ reason }) => complianceReasonNames[reason as ComplianceReason],
        addressOf: ({ reason }, { request, period }) =>
          toAddress(
            { ...request, by: ["campaign", "zone"], onlyStates: [reason as ComplianceReason] },
            period,
          ),
      }),
    ],
  };
}

/** Counts the zone days on which a row's campaigns ran or were missed. */
function countOutcomes(row: Row) {
  const [ran, missed, missedOffline] = [row.compliant_days, row.missed_days, row.missed_offline_days].map(
    (value) => Number(value ?? 0),
  ) as [number, number, number];
  return { ran, missed, missedOffline, counted: ran + missed + missedOffline };
}

/** Counts days with a result. Without any, the count is unknown, because a zero would read as "none". */
function countMeasured(figure: string): Pick<FactDeclaration, "figure" | "amountOf"> {
  return {
    figure,
    amountOf: ({ total, count }) => (countOutcomes(total).counted === 0 ? null : count(figure)),
  };
}

const by = ["campaign", "zone", "date"];

const facts: readonly FactDeclaration[] = [
  {
    figure: "compliance",
    note({ total }) {
      const { ran, counted } = countOutcomes(total);
      return `${formatCount(ran)} of ${formatCount(counted)} zone days`;
    },
  },
  {
    ...countMeasured("missed_days"),
    rows: { state: "missed", by },
    note: ({ count }) =>
      count("missed_down_days") > 0
        ? `zone days, ${formatCount(count("missed_down_days"))} with downtime`
        : "zone days",
  },
  { ...countMeasured("missed_offline_days"), rows: { state: "missed_offline", by }, note: () => "zone days" },
  { figure: "asset_coverage" },
  {
    figure: "punctuality",
    isShown: ({ total }) => total.due_times != null,
    textOf: ({ count }) => (count("due_times") === 0 ? "none due" : undefined),
    note: ({ count }) =>
      count("due_times") === 0
        ? undefined
        : `${formatCount(count("met_times"))} of ${formatQuantity(count("due_times"), "due time")}`,
  },
  {
    ...countMeasured("zones_reached"),
    note: ({ count }) => `of ${formatCount(count("zones_scheduled"))} scheduled`,
  },
];

export function summarizeCompliance(total: Row, when: string): string {
  const { ran, missed, missedOffline, counted } = countOutcomes(total);
  const scheduled = Number(total.scheduled_days ?? 0);
  if (scheduled === 0) return `No campaign was scheduled ${when}.`;
  if (counted === 0)
    return scheduled === 1
      ? `The only scheduled zone day ${when} has no result yet.`
      : `None of the ${formatCount(scheduled)} scheduled zone days ${when} has a result yet.`;
  const first = `${formatCount(ran)} of ${formatQuantity(counted, "scheduled zone day")} ran, ${formatPercent(Number(total.compliance))}`;
  const withDowntime = Number(total.missed_down_days ?? 0);
  const [verb, rest] = missedOffline > 0 ? ["", " otherwise"] : [` ${wasOrWere(missed)} missed`, ""];
  const unchecked = Number(total.device_unchecked_days ?? 0);
  const counts = [
    ...(withDowntime > 0 ? [`${formatCount(withDowntime)} with some device downtime`] : []),
    ...(unchecked > 0 ? [`${formatCount(unchecked)} without any device check`] : []),
  ];
  const downtime =
    withDowntime === missed
      ? `${verb} with some device downtime`
      : unchecked === missed
        ? `${verb} without any device check`
        : counts.length === 0
          ? `${verb} with no known device downtime`
          : `${verb}${rest}, ${joinWords(counts, "and")}`;
  const reasons = [
    ...(missedOffline > 0
      ? [`${formatCount(missedOffline)} ${wasOrWere(missedOffline)} missed while the device was down`]
      : []),
    ...(missed > 0 ? [`${formatCount(missed)}${downtime}`] : []),
  ];
  return `${[first, ...(reasons.length > 0 ? [reasons.join(" and ")] : [])].join("; ")}.`;
}

function wasOrWere(count: number): string {
  return count === 1 ? "was" : "were";
}

const levels: readonly HeatLevel[] = [
  { label: "ran in all", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "1 of 4 missed: under half", colour: palette.paleAmber, ink: palette.ink, mark: "1/4" },
  { label: "3 of 4 missed: half or more", colour: palette.strongOrange, ink: palette.inverse, mark: "3/4" },
  { label: complianceStateNames.closed, colour: palette.paleGrey, ink: palette.muted, mark: "–" },
  { label: complianceStateNames.pending, colour: palette.paleGrey, ink: palette.muted, mark: "…" },
  { label: complianceStateNames.not_measurable, colour: palette.paleGrey, ink: palette.ink, mark: "?" },
  { label: complianceStateNames.unscheduled, colour: palette.paleGrey, ink: palette.ink, mark: "+" },
];

/** States of a cell without days that ran or were missed, in order of precedence, with their level. */
const unmeasuredStates = [
  { state: "not_measurable", level: 5 },
  { state: "pending", level: 4 },
  { state: "closed", level: 3 },
  { state: "unscheduled", level: 6 },
] as const;

/** Describes cells that show a campaign's zones, or a zone's campaigns. */
function describeCells(line: string, other: string) {
  return {
    problem: "missed days",
    measures: [
      "compliant_days",
      "missed_days",
      "missed_offline_days",
      ...unmeasuredStates.map(({ state }) => `${state}_days`),
    ],
    bad: "(r.missed_days + r.missed_offline_days)",
    levels,
    addressOf: (row: Row, { request, period }: TotalledPage, step?: string) =>
      createDrillDown(request, period, step === undefined ? [line] : [line, step], row),
    cellOf(row: Row | undefined, step: string) {
      if (row === undefined) return undefined;
      const { ran, missed, missedOffline, counted } = countOutcomes(row);
      const unit = step === "date" ? other : `${other} day`;
      const all = missed + missedOffline;
      if (all > 0)
        return {
          level: all * 2 < counted ? 1 : 2,
          text: formatMissed(all, counted),
          description: `${all} of ${formatQuantity(counted, unit)} missed${missedOffline > 0 ? `, ${missedOffline} while down` : ""}`,
        };
      if (ran > 0)
        return {
          level: 0,
          text: "✓",
          description: `ran in ${ran === 1 ? "" : "all of "}${formatQuantity(ran, unit)}`,
        };
      const found = unmeasuredStates.find(({ state }) => Number(row[`${state}_days`] ?? 0) > 0);
      if (found === undefined) return undefined;
      const { level, state } = found;
      return { level, text: levels[level]?.mark ?? "", description: complianceStateNames[state] };
    },
  } satisfies Partial<DayMap>;
}

/** Formats missed days, e.g. `1/4`, or only the first number if both do not fit a cell. */
function formatMissed(missed: number, counted: number): string {
  const text = `${missed}/${counted}`;
  if (text.length <= 4) return text;
  return missed > 999 ? ">1k" : String(missed);
}
