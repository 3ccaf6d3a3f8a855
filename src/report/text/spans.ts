import { daysBetween, daysFrom, weekOf } from "../../util/local-date.ts";
import { parseCalendarPeriod } from "../address/calendar-period.ts";
import { countOf, dayInYear, dayText, periodText } from "./readable-text.ts";

/** A week (`2026-W47`), month (`2026-11`) or quarter (`2026-Q4`), and its coverage by a period and its data. */
export interface Span {
  name: string;
  /** Days in the period that the data covers completely. */
  days: number;
  /** Total days. */
  length: number;
  data: DayData;
}

const spanOf = {
  week: weekOf,
  month: (date: string) => date.slice(0, 7),
  quarter: (date: string) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`,
};

export function listSpans(
  by: keyof typeof spanOf,
  { from, to }: { from: string; to: string },
  dataDays: DataDays | undefined,
): Span[] {
  const spans = new Map<string, DayData[]>();
  for (const date of daysBetween(from, to)) {
    const name = spanOf[by](date);
    spans.set(name, [...(spans.get(name) ?? []), dayData(date, dataDays)]);
  }
  return [...spans].map(([name, found]) => {
    const days = found.filter((data) => data === "whole").length;
    const { from: first = name, to: last = name } = parseCalendarPeriod(name) ?? {};
    const length = daysFrom(first, last) + 1;
    const isEmpty = found.every((data) => data === "none");
    return { name, days, length, data: isEmpty ? "none" : days === length ? "whole" : "part" };
  });
}

/** E.g. `5 of 7 days`. */
export function partOfSpan({ days, length }: Span): string {
  return `${days} of ${countOf(length, "day")}`;
}

/** Names incomplete spans, so that they are not taken for a fall; `undefined` if all are complete. */
export function describePartialSpans(by: keyof typeof spanOf, spans: readonly Span[]): string | undefined {
  const parts = spans
    .filter(({ data }) => data === "part")
    .map((span) => `${span.name} (${partOfSpan(span)})`);
  if (parts.length === 0) return undefined;
  return `${parts.join(" and ")} ${parts.length === 1 ? "is" : "are"} only part of a ${by}.`;
}

/** Extent of the data of a report's sources. Local dates, `YYYY-MM-DD`. */
export interface DataDays {
  /** First date with data; empty without data. */
  from: string;
  /** Last date that the data covers completely, in every zone. */
  wholeTo: string;
  /** Last date with data. */
  partTo: string;
}

/** Local dates, both inclusive. */
interface Dates {
  from: string;
  to: string;
}

export type DayData = "whole" | "part" | "none";

/** @param days `undefined` if the extent of the data is unknown: every date then counts as whole */
export function dayData(date: string, days: DataDays | undefined): DayData {
  if (days === undefined) return "whole";
  if (date < days.from || date > days.partTo) return "none";
  return date <= days.wholeTo ? "whole" : "part";
}

/** Formats dates for a heading, with the data's first or last day if that is between them. */
export function datesText(period: Dates, days: DataDays | undefined): string {
  const dates = period.from === period.to ? period.from : `${period.from} to ${period.to}`;
  return [dates, dataBeginText(period, days), dataEndText(period, days)]
    .filter((text) => text !== undefined)
    .join(" · ");
}

function dataBeginText({ from }: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || from >= days.from) return undefined;
  return `the data begins on ${dayText(days.from)}`;
}

function dataEndText({ from, to }: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || to <= days.wholeTo) return undefined;
  const { wholeTo, partTo } = days;
  if (from > partTo) return `the data ends on ${dayText(partTo)}`;
  if (to <= partTo || wholeTo === partTo) return `the data is complete up to ${dayText(wholeTo)}`;
  return `the data is complete up to ${dayInYear(wholeTo, partTo)}, and ends on ${dayText(partTo)}`;
}

/** Formats a period for a sentence, with the part that the data covers completely. */
export function coveredPeriodText(period: Dates, days: DataDays | undefined): string {
  const text = periodText(period);
  if (days === undefined) return text;
  if (period.from > days.wholeTo) return `${text} (no day is complete yet)`;
  const parts = [
    ...(period.from < days.from ? [`data begins on ${dayInYear(days.from, period.to)}`] : []),
    ...(period.to > days.wholeTo ? [`complete up to ${dayInYear(days.wholeTo, period.to)}`] : []),
  ];
  return parts.length === 0 ? text : `${text} (${parts.join(", ")})`;
}

/** Returns a sentence if the period ends before the data begins, or begins after it ends. */
export function explainMissingData(period: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined) return undefined;
  const beyond =
    period.to < days.from
      ? `begins on ${dayText(days.from)}`
      : period.from > days.partTo
        ? `ends on ${dayText(days.partTo)}`
        : undefined;
  return beyond && `There is no data ${periodText(period)}: it ${beyond}.`;
}
