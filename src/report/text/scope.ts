import type { Report } from "../report.ts";
import { datesText } from "./data-end.ts";

/** What a report covers, for its heading: dates, what they are compared with, and what it is narrowed to. */
export function scopeOf({
  period,
  comparison,
  dataDays,
  filters,
}: Pick<Report, "period" | "comparison" | "dataDays" | "filters">): string[] {
  return [
    ...(period ? [datesText(period, dataDays)] : []),
    ...(comparison ? [comparedText(comparison)] : []),
    ...filters,
  ];
}

function comparedText({ isPossible, other }: NonNullable<Report["comparison"]>): string {
  return isPossible ? `compared with ${datesText(other, undefined)}` : "compared with nothing";
}
