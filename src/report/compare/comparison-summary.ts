import { sqlName } from "../../engines/sql-text.ts";
import { comparesCounts } from "../catalog/report-entry.ts";
import { listGroupingColumns } from "../columns/report-columns.ts";
import { toStatement } from "../compile/sql.ts";
import { getFigure } from "../figures.ts";
import { type EqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import { formatPercent } from "../text/cell-text.ts";
import {
  formatCount,
  formatPeriod,
  formatPoints,
  formatQuantity,
  formatRelativeChange,
} from "../text/readable-text.ts";
import { findStep } from "../text/spans.ts";
import { type ComparedDays, compileComparison, countDays } from "./compared-statement.ts";

export async function summarizeComparison(
  mart: PublishedMart,
  options: ReportOptions,
  days: ComparedDays,
  names: EqualNames,
): Promise<string> {
  const total = await summarizeTotal(mart, options, days);
  const largestDecrease = days.isPossible
    ? await summarizeLargestDecreases(mart, options, days, names)
    : undefined;
  return largestDecrease === undefined ? total : `${total} ${largestDecrease}`;
}

export const notComparable = "The periods can't be compared: no day has complete data in both.";

/** Returns a request for all rows, whichever are shown. */
function withoutSelection({ top: _top, onlyStates, ...options }: ReportOptions): ReportOptions {
  return options.entry.isCountedByState && onlyStates ? { ...options, onlyStates } : options;
}

async function summarizeTotal(
  mart: PublishedMart,
  asked: ReportOptions,
  days: ComparedDays,
): Promise<string> {
  const options = withoutSelection(asked);
  const { period, other, isPossible } = days;
  if (!isPossible) return notComparable;
  const entry = options.entry;
  const { compared: name = "" } = entry;
  const [total = {}] = await mart.all<Record<string, ReportValue>>(
    ...toStatement(compileComparison({ ...options, by: [] }, days, [name])),
  );
  const isShare = !comparesCounts(entry);
  // Sums are compared per day if one period is longer, because it has more plays.
  const isPerDay = !isShare && countDays(period) !== countDays(other);
  const label = `${getFigure(name, options.report).label}${isPerDay ? " per day" : ""}`;
  const amountOf = (value: ReportValue = null, days: Period) =>
    value === null ? null : isPerDay ? Number(value) / countDays(days) : Number(value);
  const [now, before] = [amountOf(total[name], period), amountOf(total[`${name}_then`], other)];
  const text = (value: number | null) =>
    value === null ? "unknown" : isShare ? formatPercent(value, 2) : formatCount(Math.round(value));
  const both = `${text(now)} ${formatPeriod(period)} against ${text(before)} ${formatPeriod(other)}`;
  if (now === null || before === null) return `${label} can't be compared: ${both}.`;
  const change = now - before;
  if (change !== 0 && isShare && text(now) === text(before)) return `${label} hardly changed: ${both}.`;
  if (change === 0) return `${label} did not change: ${both}.`;
  const amount = isShare
    ? ` by ${formatPoints(Math.abs(Number.parseFloat(text(now)) - Number.parseFloat(text(before))) / 100)}`
    : before === 0
      ? ""
      : ` by ${formatRelativeChange(change, before)}`;
  return `${label} ${change > 0 ? "rose" : "fell"}${amount}: ${both}.`;
}

/** Returns a note if the periods differ in pending days, which would look like a change in what ran. */
export async function noteUnsettled(
  mart: PublishedMart,
  asked: ReportOptions,
  days: ComparedDays,
): Promise<string[]> {
  const options = withoutSelection(asked);
  const { unsettled } = options.entry;
  if (unsettled === undefined || !days.isPossible) return [];
  const [total = {}] = await mart.all<Record<string, ReportValue>>(
    ...toStatement(compileComparison({ ...options, by: [] }, days, [unsettled])),
  );
  const [now, then] = [Number(total[unsettled] ?? 0), Number(total[`${unsettled}_then`] ?? 0)];
  if (now === then) return [];
  return [
    `Not settled yet: ${formatQuantity(now, "zone day")} ${formatPeriod(days.period)}, and ${formatCount(then)} ${formatPeriod(days.other)}. Compliance excludes these days; they alone may explain a drop in day counts.`,
  ];
}

export function noteDays(
  { by }: ReportOptions,
  { requested, requestedOther, period, other, isPossible }: ComparedDays,
): string[] {
  const [days, left, leftThen] = [
    countDays(period),
    countDays(requested) - countDays(period),
    countDays(requestedOther) - countDays(other),
  ];
  if (!isPossible) return [];
  const step = findStep(by);
  const unit = step === "date" ? "day" : step;
  const isOneLength = countDays(requested) === countDays(requestedOther);
  return [
    ...(isOneLength && left > 0
      ? [
          `${formatCount(days)} of ${formatQuantity(days + left, "day")} ${days === 1 ? "is" : "are"} compared; the others do not have complete data in both periods.`,
        ]
      : []),
    ...(!isOneLength && left + leftThen > 0
      ? [`Excluded: ${formatQuantity(left + leftThen, "day")} without complete data.`]
      : []),
    ...(days === countDays(other)
      ? []
      : [
          `${formatQuantity(days, "day")} are compared with ${formatCount(countDays(other))}: changes are between totals.`,
        ]),
    ...(unit === undefined
      ? []
      : [
          `${unit.charAt(0).toUpperCase()}${unit.slice(1)}s are compared in order: the first ${unit} with the first, and so on.`,
        ]),
  ];
}

/** Dimensions with few enough rows to search before the report streams. */
const searchedDimensions = ["campaign", "zone", "group", "location", "device", "kind"];

/**
 * Returns a sentence about the row that fell most; `undefined` if none fell or rows have several dimensions.
 */
async function summarizeLargestDecreases(
  mart: PublishedMart,
  asked: ReportOptions,
  days: ComparedDays,
  names: EqualNames,
): Promise<string | undefined> {
  const options = withoutSelection(asked);
  const [by = "", ...others] = options.by;
  if (others.length > 0 || !searchedDimensions.includes(by)) return undefined;
  // Shares are comparable over any number of days; sums are not.
  const entry = options.entry;
  if (comparesCounts(entry) && countDays(days.period) !== countDays(days.other)) return undefined;
  const { compared: name = "" } = entry;
  const [sql, parameters] = toStatement(compileComparison(options, days, [name]));
  const order = [`${name}_change`, ...listGroupingColumns(entry, options.by).map(sqlName)];
  const [row] = await mart.all<Record<string, ReportValue>>(
    `select * from (\n${sql}\n) as r where ${name}_change < 0 order by ${order.join(", ")} limit 1`,
    parameters,
  );
  if (!row) return undefined;
  const text = (value: ReportValue = null) =>
    comparesCounts(entry) ? formatCount(Number(value)) : formatPercent(Number(value), 2);
  return `${nameRow(names, by, row)} fell most, from ${text(row[`${name}_then`])} to ${text(row[name])}.`;
}

function nameRow(names: EqualNames, by: string, row: Record<string, ReportValue>): string {
  if (by === "campaign") return nameCampaign(row, names);
  if (by === "zone") return nameZone(row, names);
  return String(row[by] ?? row[`${by}_name`] ?? `${by} ${row[`${by}_id`] ?? "unknown"}`);
}
