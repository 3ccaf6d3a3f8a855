import { shownColumns } from "../columns/report-columns.ts";
import { figureOf } from "../figures.ts";
import { findEqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import { comparedBy, findStep } from "../options/compare-option.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import { percentText } from "../text/cell-text.ts";
import { countOf, countText, percentOf, periodText, pointsText } from "../text/readable-text.ts";
import { type ComparedDays, comparedStatement, lengthOf } from "./compared-statement.ts";

export async function summarizeComparison(
  mart: PublishedMart,
  options: ReportOptions,
  days: ComparedDays,
): Promise<string> {
  const total = await summarizeTotal(mart, options, days);
  const fallen = days.isPossible ? await summarizeLargestDecreases(mart, options, days) : undefined;
  return fallen === undefined ? total : `${total} ${fallen}`;
}

async function summarizeTotal(
  mart: PublishedMart,
  { top: _top, onlyStates: _only, ...options }: ReportOptions,
  days: ComparedDays,
): Promise<string> {
  const { period, other, isPossible } = days;
  if (!isPossible) return "No comparison is possible: no day has complete data in both periods.";
  const name = comparedBy[options.report] ?? "";
  const [total = {}] = await mart.all<Record<string, ReportValue>>(
    ...comparedStatement({ ...options, by: [] }, days),
  );
  const isShare = options.report !== "plays";
  // Longer periods have more plays.
  const isPerDay = !isShare && lengthOf(period) !== lengthOf(other);
  const label = `${figureOf(name, options.report).label}${isPerDay ? " per day" : ""}`;
  const amountOf = (value: ReportValue = null, days: Period) =>
    value === null ? null : isPerDay ? Number(value) / lengthOf(days) : Number(value);
  const [now, before] = [amountOf(total[name], period), amountOf(total[`${name}_then`], other)];
  const text = (value: number | null) =>
    value === null ? "not known" : isShare ? percentText(value, 2) : countText(Math.round(value));
  const both = `${text(now)} ${periodText(period)} against ${text(before)} ${periodText(other)}`;
  if (now === null || before === null) return `${label} can't be compared: ${both}.`;
  const change = now - before;
  if (change !== 0 && isShare && text(now) === text(before)) return `${label} hardly changed: ${both}.`;
  if (change === 0) return `${label} did not change: ${both}.`;
  const amount = isShare
    ? ` by ${pointsText(Math.abs(Number.parseFloat(text(now)) - Number.parseFloat(text(before))) / 100)}`
    : before === 0
      ? ""
      : ` by ${percentOf(change, before)}`;
  return `${label} ${change > 0 ? "rose" : "fell"}${amount}: ${both}.`;
}

/** Returns a note if the periods differ in pending days, which would look like a change in what ran. */
export async function noteUnsettled(
  mart: PublishedMart,
  { top: _top, onlyStates: _only, ...options }: ReportOptions,
  days: ComparedDays,
): Promise<string[]> {
  if (options.report !== "compliance" || !days.isPossible) return [];
  const [total = {}] = await mart.all<Record<string, ReportValue>>(
    ...comparedStatement({ ...options, by: [] }, days),
  );
  const [now, then] = [Number(total.pending_days ?? 0), Number(total.pending_days_then ?? 0)];
  if (now === then) return [];
  return [
    `Not settled yet: ${countOf(now, "zone day")} ${periodText(days.period)}, and ${countText(then)} ${periodText(days.other)}. Compliance excludes these; a drop in day counts may be due to them alone.`,
  ];
}

export function noteDays(
  { by }: ReportOptions,
  { asked, requestedOther, period, other, isPossible }: ComparedDays,
): string[] {
  const [days, left, leftThen] = [
    lengthOf(period),
    lengthOf(asked) - lengthOf(period),
    lengthOf(requestedOther) - lengthOf(other),
  ];
  if (!isPossible) return [];
  const step = findStep(by);
  const isOneLength = lengthOf(asked) === lengthOf(requestedOther);
  return [
    ...(isOneLength && left > 0
      ? [
          `${countText(days)} of ${countOf(days + left, "day")} ${days === 1 ? "is" : "are"} compared; the others lack complete data in one of the periods.`,
        ]
      : []),
    ...(!isOneLength && left + leftThen > 0
      ? [`Left out: ${countOf(left + leftThen, "day")} without complete data.`]
      : []),
    ...(days === lengthOf(other)
      ? []
      : [
          `${countOf(days, "day")} are compared with ${countText(lengthOf(other))}: changes refer to the totals.`,
        ]),
    ...(step === undefined
      ? []
      : [
          `${step === "date" ? "Day" : `${step.charAt(0).toUpperCase()}${step.slice(1)}`}s are compared in order: first with first, and so on.`,
        ]),
  ];
}

/** Dimensions with few enough rows to search before the report streams. */
const searched = ["campaign", "zone", "group", "location", "device", "kind"];

/** Names the row that fell most; `undefined` if none fell or rows have several dimensions. */
async function summarizeLargestDecreases(
  mart: PublishedMart,
  { top: _top, onlyStates: _only, ...options }: ReportOptions,
  days: ComparedDays,
): Promise<string | undefined> {
  const [by = "", ...others] = options.by;
  if (others.length > 0 || !searched.includes(by)) return undefined;
  // Shares are comparable over any number of days; sums are not.
  if (options.report === "plays" && lengthOf(days.period) !== lengthOf(days.other)) return undefined;
  const name = comparedBy[options.report] ?? "";
  const [sql, parameters] = comparedStatement(options, days);
  const order = [`${name}_change`, ...shownColumns(options.report, options).map((column) => column.name)];
  const [row] = await mart.all<Record<string, ReportValue>>(
    `select * from (\n${sql}\n) as r where ${name}_change < 0 order by ${order.join(", ")} limit 1`,
    parameters,
  );
  if (!row) return undefined;
  const text = (value: ReportValue = null) =>
    name === "plays" ? countText(Number(value)) : percentText(Number(value), 2);
  return `${await nameRow(mart, by, row)} fell most, from ${text(row[`${name}_then`])} to ${text(row[name])}.`;
}

async function nameRow(mart: PublishedMart, by: string, row: Record<string, ReportValue>): Promise<string> {
  const names = await findEqualNames(mart);
  if (by === "campaign") return nameCampaign(row, names);
  if (by === "zone") return nameZone(row, names);
  return String(row[by] ?? row[`${by}_name`] ?? `${by} ${row[`${by}_id`] ?? "unknown"}`);
}
