import type { Report } from "../report.ts";
import { scopeOf } from "../text/scope.ts";

/** What stands above a report: its title apart, then what it covers and how fresh it is. */
export function headingOf(report: Report): {
  title: string;
  details: string;
} {
  const { title, dataAsOf, version } = report;
  const details = [...scopeOf(report), `data as of ${dataAsOf ?? "unknown"}`, version];
  return { title, details: details.join(" · ") };
}

/** E.g. `1 row`. */
export function rowCount(rows: number): string {
  return rows === 1 ? "1 row" : `${rows} rows`;
}
