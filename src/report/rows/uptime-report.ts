import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { noteTooFewChecks } from "../findings/device-checks.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { noteSpans } from "../findings/reported-spans.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** How long devices were up and down: one row per combination of what `--by` names, or one for all. */
export async function buildUptimeReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const { period } = days;
  const notes = await noteTooFewChecks(mart, options);
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement("uptime", { ...options, period }));
  const spans = noteSpans(reportColumns("uptime", options.by), days);
  return {
    title: options.by.length > 0 ? `Uptime by ${options.by.join(", ")}` : "Uptime",
    ...days,
    filters,
    version: mart.version,
    columns: spans.columns,
    ...pickColumns(stream, spans.columns),
    notes: [...notes, ...spans.notes],
  };
}
