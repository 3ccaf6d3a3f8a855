import { daysBetween, weekOf } from "../../util/local-date.ts";
import { countOf, dayInYear, dayText, periodText } from "./people-text.ts";

/** A week (`2026-W47`) or month (`2026-11`), as far as a period and its data have it. */
export interface Span {
  name: string;
  /** Days of it that lie in the period and that the data covers whole. */
  days: number;
  /** Days that it has. */
  length: number;
  data: DayData;
}

const spanOf = { week: weekOf, month: (date: string) => date.slice(0, 7) };

/** The weeks or months of a period, in order of time. */
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
    const length = by === "week" ? 7 : daysOfMonth(name);
    const isEmpty = found.every((data) => data === "none");
    return { name, days, length, data: isEmpty ? "none" : days === length ? "whole" : "part" };
  });
}

/** E.g. `5 of 7 days`. */
export function partOfSpan({ days, length }: Span): string {
  return `${days} of ${countOf(length, "day")}`;
}

/** Says which are only part of one, so that nobody takes them for a fall; `undefined` where all are whole. */
export function sayPartSpans(by: keyof typeof spanOf, spans: readonly Span[]): string | undefined {
  const parts = spans
    .filter(({ data }) => data === "part")
    .map((span) => `${span.name} (${partOfSpan(span)})`);
  if (parts.length === 0) return undefined;
  return `${parts.join(" and ")} ${parts.length === 1 ? "is" : "are"} only part of a ${by}.`;
}

function daysOfMonth(month: string): number {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate();
}

/** How far the data of a report's sources goes. Local dates, `YYYY-MM-DD`. */
export interface DataDays {
  /** The first of which it has anything; empty where it has nothing at all. */
  from: string;
  /** The last that it covers whole, in every zone. */
  wholeTo: string;
  /** The last of which it has anything. */
  partTo: string;
}

/** Local dates, both inclusive. */
interface Dates {
  from: string;
  to: string;
}

/** Of a local date: whether the data covers it whole, in part, or not at all. */
export type DayData = "whole" | "part" | "none";

/** @param days `undefined` where nobody knows how far the data goes: then all of it counts */
export function dayData(date: string, days: DataDays | undefined): DayData {
  if (days === undefined) return "whole";
  if (date < days.from || date > days.partTo) return "none";
  return date <= days.wholeTo ? "whole" : "part";
}

/** For a heading: the dates, and where the data begins or ends if that is between them. */
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

/** For a sentence: the period, and how much of it the data covers whole. */
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

/** What to say of a period that ends before the data begins, or begins after it ends. */
export function sayNoData(period: Dates, days: DataDays | undefined): string | undefined {
  if (days === undefined) return undefined;
  const beyond =
    period.to < days.from
      ? `begins on ${dayText(days.from)}`
      : period.from > days.partTo
        ? `ends on ${dayText(days.partTo)}`
        : undefined;
  return beyond && `There is no data ${periodText(period)}: it ${beyond}.`;
}
