import { daysBetween, weekOf } from "../../util/local-date.ts";
import { type DataDays, type DayData, dayData } from "./data-end.ts";
import { countOf } from "./people-text.ts";

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
