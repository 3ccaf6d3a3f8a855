import { addDays, countDaysBetween } from "../../util/local-date.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { isOfPeriod } from "../own/own-report.ts";
import type { Period } from "../report.ts";
import { findOwnWord } from "../report-file.ts";
import type { ReportName } from "../report-name.ts";
import {
  isReportDate,
  parseDate,
  ReportOptionError,
  refuseUnless,
  type Wording,
} from "./report-option-error.ts";
import { type Compare, compareWords, type ReportRequest } from "./report-options.ts";

/** Reports whose periods can be compared, with their main figure. */
export const comparedBy: Readonly<Partial<Record<ReportName, string>>> = {
  plays: "plays",
  compliance: "compliance",
  uptime: "availability",
};

/** @throws {ReportOptionError} when the report, its rows or another flag rules out a comparison */
export function parseCompare(
  { report, own }: Pick<ReportRequest, "report" | "own">,
  by: readonly string[],
  { compare: text, failUnder }: { compare?: string; failUnder?: string },
): Compare | undefined {
  if (text === undefined) return undefined;
  const isComparable = own === undefined ? comparedBy[report] !== undefined : isOfPeriod(own);
  refuseUnless(isComparable, own?.name ?? report, "--compare", text);
  const uneven = by.find((word) => word === "week" || word === "month");
  if (uneven !== undefined)
    throw compareError(
      ({ option }) =>
        `can't be combined with ${option("--by")} ${uneven}. Use ${option("--by")} date instead.`,
    );
  const ownWord = findOwnWord(report, by);
  if (ownWord !== undefined)
    throw compareError(
      ({ option }) => `can't be combined with ${option("--by")} ${ownWord}. Remove one of them.`,
    );
  if (failUnder !== undefined)
    throw compareError(() => "can't be combined with --fail-under. Remove one of them.");
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    for (const date of [from, to]) parseDate("--compare", date);
    if (from > to) throw compareError(({ date }) => `starts (${date(from)}) after it ends (${date(to)}).`);
    return { from, to };
  }
  const word = compareWords.find((known) => known === text);
  if (word !== undefined) return word;
  const meant = findClosestWord(text, compareWords);
  throw compareError(
    () =>
      `does not take ${JSON.stringify(text)}.${meant === undefined ? "" : ` Did you mean ${meant}?`} It takes ${compareWords.join(", ")}, or a period such as 2026-10-01..2026-10-28.`,
  );
}

export function formatCompare(compare: Compare): string {
  return typeof compare === "string" ? compare : `${compare.from}..${compare.to}`;
}

/**
 * @throws {ReportOptionError} when rows are by date and the periods differ in length, or the days are too
 * early
 */
export function resolveComparedPeriod(period: Period, compare: Compare, by: readonly string[]): Period {
  const length = countDaysBetween(period.from, period.to) + 1;
  if (typeof compare !== "string") {
    const other = countDaysBetween(compare.from, compare.to) + 1;
    if (other === length || !by.includes("date")) return compare;
    throw compareError(
      () => `by date needs periods of equal length: these have ${length} and ${other} days.`,
    );
  }
  const shift = compare === "before" ? length : 28;
  const other = { from: addDays(period.from, -shift), to: addDays(period.to, -shift) };
  if (isReportDate(other.from)) return other;
  throw compareError(
    ({ date }) =>
      `${compare} would go back before the dates that reports cover; the period starts on ${date(period.from)}.`,
  );
}

function compareError(reason: (wording: Wording) => string): ReportOptionError {
  const sentences = (wording: Wording) => `${wording.option("--compare")} ${reason(wording)}`;
  return new ReportOptionError("--compare", sentences);
}
