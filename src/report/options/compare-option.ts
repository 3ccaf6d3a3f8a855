import { addDays, daysFrom } from "../../util/local-date.ts";
import { closestWord } from "../../util/text/words.ts";
import { isOfPeriod } from "../own/own-report.ts";
import type { Period } from "../report.ts";
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

/** @throws {ReportOptionError} when the report, its rows or another flag rules it out */
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
    throw refusal(
      ({ option }) => `does not go with ${option("--by")} ${uneven}. Compare ${option("--by")} date instead.`,
    );
  if (failUnder !== undefined)
    throw refusal(() => "does not go with --fail-under. Leave out one of the two.");
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    for (const date of [from, to]) parseDate("--compare", date);
    if (from > to) throw refusal(({ date }) => `begins (${date(from)}) after it ends (${date(to)}).`);
    return { from, to };
  }
  const word = compareWords.find((known) => known === text);
  if (word !== undefined) return word;
  const meant = closestWord(text, compareWords);
  throw refusal(
    () =>
      `does not take ${JSON.stringify(text)}.${meant === undefined ? "" : ` Did you mean ${meant}?`} It takes ${compareWords.join(", ")}, or a period such as 2026-10-01..2026-10-28.`,
  );
}

export function compareText(compare: Compare): string {
  return typeof compare === "string" ? compare : `${compare.from}..${compare.to}`;
}

/** @throws {ReportOptionError} when rows by date pair unequal periods, or the days are too early */
export function comparedPeriod(period: Period, compare: Compare, by: readonly string[]): Period {
  const length = daysFrom(period.from, period.to) + 1;
  if (typeof compare !== "string") {
    const other = daysFrom(compare.from, compare.to) + 1;
    if (other === length || !by.includes("date")) return compare;
    throw refusal(() => `by date takes periods of the same length: these have ${length} and ${other} days.`);
  }
  const shift = compare === "before" ? length : 28;
  const other = { from: addDays(period.from, -shift), to: addDays(period.to, -shift) };
  if (isReportDate(other.from)) return other;
  throw refusal(({ date }) => `${compare}: ${date(period.from)} has no such days before it.`);
}

function refusal(reason: (wording: Wording) => string): ReportOptionError {
  const sentences = (wording: Wording) => `${wording.option("--compare")} ${reason(wording)}`;
  return new ReportOptionError("--compare", sentences);
}
