import type { Report } from "../report.ts";
import { datesText } from "../text/data-end.ts";

/** What stands above a report: its title apart, then what it covers and how fresh it is. */
export function headingOf({ title, period, dataDays, filters, dataAsOf, version }: Report): {
  title: string;
  details: string;
} {
  const details = [
    ...(period ? [datesText(period, dataDays)] : []),
    ...filters,
    `data as of ${dataAsOf ?? "unknown"}`,
    version,
  ];
  return { title, details: details.join(" · ") };
}

/** E.g. `1 row`. */
export function rowCount(rows: number): string {
  return rows === 1 ? "1 row" : `${rows} rows`;
}
