import { type ReportParts, renderReport } from "../html/render-report.ts";
import type { Report, ReportRow } from "../report.ts";
import type { FormatOptions } from "./formatter.ts";

/** More rows than these are for a spreadsheet, or for SQL. */
const shownRows = 5_000;

/** One self-contained page: it loads nothing, from nowhere. Of a longer report it holds the first 5,000 rows. */
export async function* formatHtml(
  report: Report,
  { csvFile, ...served }: FormatOptions & Pick<ReportParts, "hrefOf" | "frame"> = {},
): AsyncIterable<string> {
  const shown: ReportRow[] = [];
  let rowCount = 0;
  for await (const row of report.rows) {
    rowCount += 1;
    if (rowCount <= shownRows) shown.push(row);
  }
  const page = await report.describe?.();
  yield renderReport({ report, page, rows: shown, rowCount, csvFile, ...served });
}
