import { listDaysBetween } from "../../util/local-date.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { ReportValue } from "../report.ts";
import { getDayData } from "../text/spans.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** A figure per day, up to the last complete day. */
export interface Trend {
  /** E.g. `Plays per day`. */
  title: string;
  isShare: boolean;
  /** `null` on a day without data or with partial data, and where the figure is unknown. */
  days: readonly { date: string; value: number | null }[];
}

/**
 * Returns the trend over a report's days; `undefined` without data, and unless two days are known, because one
 * shows no change.
 */
export function createTrend(
  { period, dataDays }: Pick<ReportedDays, "period" | "dataDays">,
  rows: readonly Row[],
  { valueOn, ...trend }: Omit<Trend, "days"> & { valueOn(day: Row | undefined): number | null },
): Trend | undefined {
  if (!dataDays?.from) return undefined;
  const rowOf = new Map(rows.map((row) => [String(row.date), row]));
  const days = listDaysBetween(period.from, period.to).map((date) => ({
    date,
    value: getDayData(date, dataDays) === "whole" ? valueOn(rowOf.get(date)) : null,
  }));
  return days.filter(({ value }) => value !== null).length < 2 ? undefined : { ...trend, days };
}

/** Returns a share as a number; `null` if it is unknown. */
export function toShare(value: ReportValue | undefined): number | null {
  return value == null ? null : Number(value);
}
