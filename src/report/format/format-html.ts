import { type ReportParts, renderReport } from "../html/render-report.ts";
import type { Report } from "../report.ts";
import type { FormatOptions } from "./formatter.ts";
import { gatherWorst } from "./worst-rows.ts";

/** More rows than these are for a spreadsheet, or for SQL. */
const shownRows = 5_000;
/** Of a served page, which sorts and searches all rows. */
const servedRows = 500;

/** One self-contained page: it loads nothing, from nowhere. Of a longer report it holds 5,000 rows. */
export async function* formatHtml(
  report: Report,
  { csvFile, pagesBeside, ...served }: FormatOptions & Pick<ReportParts, "frame"> = {},
): AsyncIterable<string> {
  const most = served.frame ? servedRows : shownRows;
  // Who waits for a page does not wait for millions of rows to be counted.
  const { rows, rowCount } = await gatherWorst(report, most, { countsAll: !served.frame });
  const page = await report.describe?.();
  yield renderReport({ report, page, rows, rowCount, csvFile, pagesBeside, ...served });
}
