import { addDays, countDaysBetween } from "../../util/local-date.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { parseCalendarPeriod, periodWords } from "../address/calendar-period.ts";
import { comparesCounts, findVariant, type ReportEntry } from "../catalog/report-entry.ts";
import type { Period } from "../result-types.ts";
import { joinWords } from "../text/readable-text.ts";
import { findStep, listSpans, timeWords } from "../text/spans.ts";
import { isReportDate, parseDate, ReportOptionError, type Wording } from "./option-error.ts";
import { isRelative, periodExamples, resolvePeriod } from "./period-option.ts";
import { type Compare, compareWords } from "./request-options.ts";

/** @throws {ReportOptionError} when the report's rows or another flag rule out a comparison */
export function parseCompare(
  text: string,
  entry: ReportEntry,
  by: readonly string[],
  hasLimit: boolean,
): Compare {
  const [step, ...otherSteps] = timeWords.filter((word) => by.includes(word));
  // Sums over weeks and months depend on how many of their days are compared.
  if (step !== undefined && step !== "date" && comparesCounts(entry))
    throw compareError(
      ({ option }) => `can't be combined with ${option("--by")} ${step}. Use ${option("--by")} date instead.`,
    );
  if (otherSteps.length > 0)
    throw compareError(
      ({ option }) =>
        `takes one of ${timeWords.join(", ")} in ${option("--by")}, not ${joinWords([step ?? "", ...otherSteps], "and")}.`,
    );
  if (text === "4-weeks-ago" && (step === "month" || step === "quarter"))
    throw compareError(
      ({ option }) =>
        `4-weeks-ago can't be combined with ${option("--by")} ${step}. Use before, or a period.`,
    );
  const variant = findVariant(entry, by);
  if (variant !== undefined)
    throw compareError(
      ({ option }) => `can't be combined with ${option("--by")} ${variant}. Remove one of them.`,
    );
  if (hasLimit) throw compareError(() => "can't be combined with --fail-under. Remove one of them.");
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    for (const date of [from, to]) parseDate("--compare", date);
    if (from > to) throw compareError(({ date }) => `starts (${date(from)}) after it ends (${date(to)}).`);
    return { from, to };
  }
  const word = compareWords.find((known) => known === text);
  if (word !== undefined) return word;
  if (isRelative(text)) return { from: text, to: text };
  const days = parseCalendarPeriod(text);
  if (days !== undefined && isReportDate(days.from) && isReportDate(days.to)) return days;
  const meant = findClosestWord(text, [...compareWords, ...periodWords]);
  throw compareError(
    () =>
      `does not take ${JSON.stringify(text)}.${meant === undefined ? "" : ` Did you mean ${meant}?`} It takes ${compareWords.join(", ")}, or a period such as 2026-10-01..2026-10-28, ${periodExamples}.`,
  );
}

export function formatCompare(compare: Compare): string {
  if (typeof compare === "string") return compare;
  return isRelative(compare.from) ? compare.from : `${compare.from}..${compare.to}`;
}

/**
 * Returns the days to compare with. By week, month or quarter, the period is shifted by the number of steps that it
 * touches, so that weeks are compared on the same weekdays, and months with months.
 * @throws {ReportOptionError} when rows over time would pair unequal periods, or the days are too early
 */
export function resolveComparedPeriod(
  period: Period,
  compare: Compare,
  { by, lastDay }: { by: readonly string[]; lastDay: string },
): Period {
  const step = findStep(by);
  if (typeof compare !== "string") {
    const days = isRelative(compare.from) ? resolvePeriod({ from: compare.from }, lastDay) : compare;
    if (step === undefined) return days;
    const [steps, other] = [countSteps(period, step), countSteps(days, step)];
    if (steps === other) return days;
    throw compareError(() =>
      step === "date"
        ? `by date needs periods of equal length: these have ${steps} and ${other} days.`
        : `by ${step} needs periods with the same number of ${step}s: these have ${steps} and ${other}.`,
    );
  }
  const other = compare === "before" ? periodBefore(period, step) : shiftDays(period, -28);
  if (isReportDate(other.from)) return other;
  throw compareError(
    ({ date }) =>
      `${compare} would go back before the dates that reports cover; the period starts on ${date(period.from)}.`,
  );
}

function countSteps({ from, to }: Period, step: (typeof timeWords)[number]): number {
  return step === "date" ? countDaysBetween(from, to) + 1 : listSpans(step, { from, to }, undefined).length;
}

function periodBefore(period: Period, step: (typeof timeWords)[number] = "date"): Period {
  const steps = countSteps(period, step);
  if (step === "date" || step === "week") return shiftDays(period, -steps * (step === "week" ? 7 : 1));
  const months = -steps * (step === "quarter" ? 3 : 1);
  return { from: addMonths(period.from, months), to: addMonths(period.to, months) };
}

function shiftDays({ from, to }: Period, days: number): Period {
  return { from: addDays(from, days), to: addDays(to, days) };
}

/** Adds months. The last day of a month stays the last day; other days are limited to the new month's length. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const lastOf = (offset: number) => new Date(Date.UTC(year, month + offset, 0)).getUTCDate();
  const isLast = day === lastOf(0);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = lastOf(months);
  first.setUTCDate(isLast ? last : Math.min(day, last));
  return first.toISOString().slice(0, 10);
}

function compareError(reason: (wording: Wording) => string): ReportOptionError {
  const sentences = (wording: Wording) => `${wording.option("--compare")} ${reason(wording)}`;
  return new ReportOptionError("--compare", sentences);
}
