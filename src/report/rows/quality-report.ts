import { listReportFiles } from "../../mart/report-header.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { type Asked, reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow } from "../report.ts";

/** How far the figures can be trusted. Each file in `sql/reports/quality/` is one or more sections, in their order. */
export async function buildQualityReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const { period } = days;
  return {
    title: "Quality",
    ...days,
    filters: await describeFilters(mart, options),
    version: mart.version,
    columns: reportColumns("quality/10_published"),
    rows: eachSection(mart, { ...options, period, now }),
    notes: [],
  };
}

async function* eachSection(mart: PublishedMart, asked: Asked): AsyncIterableIterator<ReportRow> {
  for (const file of listReportFiles().filter((name) => name.startsWith("quality/"))) {
    const { rows } = await mart.stream(...reportStatement(file, asked));
    yield* rows as AsyncIterable<ReportRow>;
  }
  const unfinished = (await mart.findUnfinished?.()) ?? [];
  for (const { subject, value, note } of unfinished) yield ["unfinished", subject, value, note];
}
