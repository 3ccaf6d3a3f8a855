import { listDaysBetween } from "../../util/local-date.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { ReportName } from "../report-name.ts";
import { getDayData } from "../text/spans.ts";
import type { OverviewSources, Row, Trend } from "./assessment.ts";

/**
 * Returns the trend over a report's days; `undefined` if fewer than two days are known, because one shows no change.
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

interface ReadTrend {
  title: string;
  measure: string;
  isShare: boolean;
  /** Days that have already been read. @default reads them */
  rows?: readonly Row[];
}

/** Reads a measure of a report per day. An unknown ratio is `null`; a count without rows is 0. */
export async function readTrend(
  { read, daysOf }: Pick<OverviewSources, "read" | "daysOf">,
  report: ReportName,
  { title, measure, isShare, rows }: ReadTrend,
): Promise<Trend | undefined> {
  const valueOn = (day: Row | undefined) => {
    const value = day?.[measure];
    return value == null && isShare ? null : Number(value ?? 0);
  };
  const known = rows ?? (await read(report, { by: ["date"], measures: [measure] }));
  return createTrend(await daysOf(report), known, { title, isShare, valueOn });
}
