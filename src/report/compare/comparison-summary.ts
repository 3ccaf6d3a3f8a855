import { sqlName } from "../../engines/sql-text.ts";
import { comparesCounts } from "../catalog/report-entry.ts";
import { listGroupingColumns } from "../columns/list-columns.ts";
import { toStatement } from "../compile/sql.ts";
import { getFigure } from "../figures.ts";
import { type EqualNames, nameCampaign, nameZone } from "../findings/names.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../result-types.ts";
import { formatPercent } from "../text/cell-text.ts";
import {
  formatCount,
  formatPeriod,
  formatPoints,
  formatQuantity,
  formatRelativeChange,
  joinWords,
} from "../text/readable-text.ts";
import { findStep } from "../text/spans.ts";
import { type ComparedDays, compileComparison, countDays } from "./compared-statement.ts";

export async function summarizeComparison(
  mart: PublishedMart,
  options: ReportOptions,
  days: ComparedDays,
  names: EqualNames,
): Promise<string> {
  if (!days.isPossible) return notComparable;
  const total = await summarizeTotal(mart, options, days);
  const causes = await nameCauses(mart, options, days, { names, total });
  return causes === undefined ? total.text : `${total.text} ${causes}`;
}

export const notComparable = "The periods can't be compared: no day has complete data in both.";

/** Returns the options without those that select the rows to show. */
function withoutSelection({ top: _top, onlyStates, ...options }: ReportOptions): ReportOptions {
  return options.entry.isCountedByState && onlyStates ? { ...options, onlyStates } : options;
}

interface TotalChange {
  text: string;
  /** Null if one of the periods has no value. */
  change: number | null;
  before: number | null;
}

async function summarizeTotal(
  mart: PublishedMart,
  asked: ReportOptions,
  days: ComparedDays,
): Promise<TotalChange> {
  const options = withoutSelection(asked);
  const { period, other } = days;
  const entry = options.entry;
  const { compared: name = "" } = entry;
  const [total = {}] = await mart.all<Row>(
    ...toStatement(compileComparison({ ...options, by: [] }, days, [name])),
  );
  const isShare = !comparesCounts(entry);
  // Sums are compared per day if one period is longer, because it contains more plays.
  const isPerDay = !isShare && countDays(period) !== countDays(other);
  const label = `${getFigure(name, options.report).label}${isPerDay ? " per day" : ""}`;
  const amountOf = (value: ReportValue = null, days: Period) =>
    value === null ? null : isPerDay ? Number(value) / countDays(days) : Number(value);
  const [now, before] = [amountOf(total[name], period), amountOf(total[`${name}_then`], other)];
  const text = (value: number | null) =>
    value === null ? "unknown" : isShare ? formatPercent(value, 2) : formatCount(Math.round(value));
  const both = `${text(now)} ${formatPeriod(period)} against ${text(before)} ${formatPeriod(other)}`;
  if (now === null || before === null)
    return { text: `${label} can't be compared: ${both}.`, change: null, before };
  const change = now - before;
  const describe = (verb: string) => ({ text: `${label} ${verb}: ${both}.`, change, before });
  if (change !== 0 && isShare && text(now) === text(before)) return describe("hardly changed");
  if (change === 0) return describe("did not change");
  const amount = isShare
    ? ` by ${formatPoints(Math.abs(Number.parseFloat(text(now)) - Number.parseFloat(text(before))) / 100)}`
    : before === 0
      ? ""
      : ` by ${formatRelativeChange(change, before)}`;
  return describe(`${change > 0 ? "rose" : "fell"}${amount}`);
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
  const [total = {}] = await mart.all<Row>(
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
const searchedDimensions = ["campaign", "zone", "group", "location", "city", "device", "kind"];
/** Maximum rows listed, their minimum part of the total's change, and the minimum relative change of the total. */
const [mostNamed, leastPart, leastChange] = [3, 0.1, 0.01];

type Row = Record<string, ReportValue>;

/**
 * Returns a sentence about the rows that changed most. Rows are grouped by the report's only dimension, or a total by
 * its first step. Returns `undefined` if nothing changed, or rows have several dimensions.
 */
async function nameCauses(
  mart: PublishedMart,
  asked: ReportOptions,
  days: ComparedDays,
  { names, total: { change, before } }: { names: EqualNames; total: TotalChange },
): Promise<string | undefined> {
  const options = withoutSelection(asked);
  const { entry } = options;
  const { compared: name = "" } = entry;
  const [by = entry.steps?.[0] ?? "", ...others] = options.by;
  const isSearched = searchedDimensions.includes(by) || options.attributes.some(({ name }) => name === by);
  if (others.length > 0 || !isSearched) return undefined;
  const isCount = comparesCounts(entry);
  // Ratios are comparable over any number of days; sums are not.
  if (isCount && countDays(days.period) !== countDays(days.other)) return undefined;
  const keys = listGroupingColumns(entry, [by]);
  const read = async (words: readonly string[], selectFrom: (rows: string) => string) => {
    const [sql, parameters] = toStatement(compileComparison({ ...options, by: words }, days, [name]));
    return await mart.all<Row>(selectFrom(`(\n${sql}\n) as r`), parameters);
  };
  const readLargest = (sign: "" | "-", least: number, limit: number) =>
    read(
      [by],
      (rows) => `select *
        from ${rows}
        where ${sign}${name}_change < -${least}
        order by ${[`${sign}${name}_change`, ...keys.map(sqlName)].join(", ")}
        limit ${limit}`,
    );
  if (!isCount || !change || !before) {
    const [row] = await readLargest("", 0, 1);
    const text = (value: ReportValue = null) =>
      isCount ? formatCount(Number(value)) : formatPercent(Number(value), 2);
    return (
      row && `${nameRow(names, by, row)} fell most, from ${text(row[`${name}_then`])} to ${text(row[name])}.`
    );
  }
  if (Math.abs(change) < leastChange * before) return undefined;
  const rows = await readLargest(change > 0 ? "-" : "", Math.abs(change) * leastPart, mostNamed);
  if (rows.length === 0) return undefined;
  const emptied = await read(
    [by, "date"],
    (all) => `select ${keys.map(sqlName).join(", ")}, count(*) as days
      from ${all}
      where ${name} = 0 and ${name}_then > 0
      group by ${keys.map(sqlName).join(", ")}`,
  );
  const { label } = getFigure(name, options.report);
  const parts = rows.map((row, index) => {
    const part = formatRelativeChange(Number(row[`${name}_change`]), before);
    const empty = emptied.find((other) => keys.every((key) => other[key] === row[key]));
    const details = [
      `${part}${index === 0 ? " of the earlier total" : ""}`,
      ...(empty ? [`${formatQuantity(Number(empty.days), "day")} without ${label.toLowerCase()}`] : []),
    ];
    return `${nameRow(names, by, row)} (${details.join("; ")})`;
  });
  const noun = change > 0 ? "increase" : "decrease";
  return `Largest ${parts.length === 1 ? noun : `${noun}s`}: ${joinWords(parts, "and")}.`;
}

function nameRow(names: EqualNames, by: string, row: Row): string {
  if (by === "campaign") return nameCampaign(row, names);
  if (by === "zone") return nameZone(row, names);
  return String(row[by] ?? row[`${by}_name`] ?? `${by} ${row[`${by}_id`] ?? "unknown"}`);
}
