import { addDays, countDaysBetween, earliest, latest } from "../../util/local-date.ts";
import { compile } from "../compile/compile.ts";
import type { Shift } from "../compile/request.ts";
import type { Sql } from "../compile/sql.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { toQuery } from "../options/build-statement.ts";
import { resolveComparedPeriod } from "../options/compare-option.ts";
import type { Compare, ReportOptions } from "../options/request-options.ts";
import type { Comparison, Period } from "../result-types.ts";

/**
 * Returns the select of a report's rows over both periods. If one period lacks a row, its counts are 0 and its ratios
 * null. Options that select rows by measures use those of the reported period.
 * @param measures to compute. @default all
 */
export function compileComparison(
  options: ReportOptions,
  { requested, requestedOther, period, other, isPossible }: ComparedDays,
  measures?: readonly string[],
): Sql {
  const report = options.entry;
  if (!("dimensions" in report)) throw new Error(`the ${report.name} report can't be compared`);
  const shift = countShift(requestedOther, requested);
  const query = toQuery(report, { ...options, period, ...(measures && { measures }) });
  return compile(report, { ...query, compare: { period: other, shift, isPossible } });
}

/** Returns the number of steps between the starts of two periods, whose first steps are paired. */
function countShift({ from }: Period, { from: to }: Period): Shift {
  // 2001-01-01 is a Monday.
  const weekOf = (date: string) => Math.floor(countDaysBetween("2001-01-01", date) / 7);
  const monthOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const quarterOf = (date: string) => Math.floor(monthOf(date) / 3);
  return {
    days: countDaysBetween(from, to),
    weeks: weekOf(to) - weekOf(from),
    months: monthOf(to) - monthOf(from),
    quarters: quarterOf(to) - quarterOf(from),
  };
}

export interface ComparedDays extends Omit<Comparison, "summary"> {
  /** Days of `requested` that are compared; all of them if no comparison is possible. */
  period: Period;
  requestedOther: Period;
}

/** Pairs the days of equally long periods, except pairs that the data does not cover completely. */
export function findComparedDays(
  options: ReportOptions,
  compare: Compare,
  { period: requested, dataDays, lastDay = requested.to }: ReportedDays,
): ComparedDays {
  const requestedOther = resolveComparedPeriod(requested, compare, { by: options.by, lastDay });
  const first = dataDays?.from;
  const firstWhole = options.entry.isFirstDayPartial && first ? addDays(first, 1) : first;
  const clipToData = (days: Period): Period => ({
    from: latest(firstWhole ?? days.from, days.from),
    to: earliest(dataDays?.wholeTo ?? days.to, days.to),
  });
  let [period, other] = [clipToData(requested), clipToData(requestedOther)];
  if (
    countDaysBetween(requested.from, requested.to) ===
    countDaysBetween(requestedOther.from, requestedOther.to)
  ) {
    const front = Math.max(
      countDaysBetween(requested.from, period.from),
      countDaysBetween(requestedOther.from, other.from),
    );
    const back = Math.max(
      countDaysBetween(period.to, requested.to),
      countDaysBetween(other.to, requestedOther.to),
    );
    const trim = ({ from, to }: Period) => ({ from: addDays(from, front), to: addDays(to, -back) });
    [period, other] = [trim(requested), trim(requestedOther)];
  }
  const isPossible = first !== "" && period.from <= period.to && other.from <= other.to;
  return isPossible
    ? { requested, requestedOther, period, other, isPossible }
    : { requested, requestedOther, period: requested, other: requestedOther, isPossible };
}

/** Returns the length of a period in days. */
export function countDays({ from, to }: Period): number {
  return countDaysBetween(from, to) + 1;
}
