import { countDaysBetween, formatWeek, listDaysBetween } from "../../util/local-date.ts";
import { parseCalendarPeriod } from "../address/calendar-period.ts";
import { formatDay, formatDayInYear, formatPeriod, formatQuantity } from "./readable-text.ts";

/** Time steps of `--by`. A comparison pairs their values in order: the first with the first, and so on. */
export const timeWords = ["date", "week", "month", "quarter"] as const;

/** Returns the time step of `--by`, if any. A comparison has at most one. */
export function findStep(by: readonly string[]): (typeof timeWords)[number] | undefined {
  return timeWords.find((word) => by.includes(word));
}

/** A week (`2026-W47`), month (`2026-11`) or quarter (`2026-Q4`), and its coverage by a period and its data. */
export interface Span {
  name: string;
  /** Days in the period that the data covers completely. */
  days: number;
  /** Total days. */
  length: number;
  data: DayData;
}

const getSpan = {
  week: formatWeek,
  month: (date: string) => date.slice(0, 7),
  quarter: (date: string) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`,
};

export function listSpans(
  by: keyof typeof getSpan,
  { from, to }: { from: string; to: string },
  dataDays: DataDays | undefined,
): Span[] {
  const spans = new Map<string, DayData[]>();
  for (const date of listDaysBetween(from, to)) {
    const name = getSpan[by](date);
    spans.set(name, [...(spans.get(name) ?? []), getDayData(date, dataDays)]);
  }
  return [...spans].map(([name, found]) => {
    const days = found.filter((data) => data === "whole").length;
    const { from: first = name, to: last = name } = parseCalendarPeriod(name) ?? {};
    const length = countDaysBetween(first, last) + 1;
    const isEmpty = found.every((data) => data === "none");
    return { name, days, length, data: isEmpty ? "none" : days === length ? "whole" : "part" };
  });
}

/** E.g. `5 of 7 days`. */
export function formatSpanCoverage({ days, length }: Span): string {
  return `${days} of ${formatQuantity(length, "day")}`;
}

/** Lists incomplete spans, so that readers do not mistake them for a decline; `undefined` if all are complete. */
export function describePartialSpans(by: keyof typeof getSpan, spans: readonly Span[]): string | undefined {
  const parts = spans
    .filter(({ data }) => data === "part")
    .map((span) => `${span.name} (${formatSpanCoverage(span)})`);
  if (parts.length === 0) return undefined;
  return `${parts.join(" and ")} ${parts.length === 1 ? "is" : "are"} only part of a ${by}.`;
}

/** First and last days of the data in a report's sources. Local dates, `YYYY-MM-DD`. */
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

/** @param days `undefined` if the extent of the data is unknown: every date is then treated as whole */
export function getDayData(date: string, days: DataDays | undefined): DayData {
  if (days === undefined) return "whole";
  if (date < days.from || date > days.partTo) return "none";
  return date <= days.wholeTo ? "whole" : "part";
}

/** Formats a period for a heading, with the first or last day of the data if it falls within the period. */
export function formatDates(period: Dates, days: DataDays | undefined): string {
  const dates = period.from === period.to ? period.from : `${period.from} to ${period.to}`;
  return [dates, describeDataStart(period, days), describeDataEnd(period, days)]
    .filter((text) => text !== undefined)
    .join(" · ");
}

function describeDataStart({ from }: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || from >= days.from) return undefined;
  return `the data begins on ${formatDay(days.from)}`;
}

function describeDataEnd({ from, to }: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined || to <= days.wholeTo) return undefined;
  const { wholeTo, partTo } = days;
  if (from > partTo) return `the data ends on ${formatDay(partTo)}`;
  if (to <= partTo || wholeTo === partTo) return `the data is complete up to ${formatDay(wholeTo)}`;
  return `the data is complete up to ${formatDayInYear(wholeTo, partTo)}, and ends on ${formatDay(partTo)}`;
}

/** Formats a period for a sentence, with the part that the data covers completely. */
export function formatCoveredPeriod(period: Dates, days: DataDays | undefined): string {
  const text = formatPeriod(period);
  if (days === undefined) return text;
  if (period.from > days.wholeTo) return `${text} (no day is complete yet)`;
  const parts = [
    ...(period.from < days.from ? [`data begins on ${formatDayInYear(days.from, period.to)}`] : []),
    ...(period.to > days.wholeTo ? [`complete up to ${formatDayInYear(days.wholeTo, period.to)}`] : []),
  ];
  return parts.length === 0 ? text : `${text} (${parts.join(", ")})`;
}

/** Returns a sentence if the period ends before the data begins, or begins after it ends. */
export function explainMissingData(period: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined) return undefined;
  const beyond =
    period.to < days.from
      ? `begins on ${formatDay(days.from)}`
      : period.from > days.partTo
        ? `ends on ${formatDay(days.partTo)}`
        : undefined;
  return beyond && `No data ${formatPeriod(period)}: the data ${beyond}.`;
}
