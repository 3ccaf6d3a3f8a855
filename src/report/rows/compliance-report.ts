import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { noteCompliance, type ScheduledDays } from "../findings/compliance-notes.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { noteSpans } from "../findings/reported-spans.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** Did campaigns run where and when they were scheduled: one row per combination of what `--by` names, or one for all. */
export async function buildComplianceReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const { period } = days;
  const { onlyStates = [] } = options;
  const [total] = await mart.all<ScheduledDays>(
    ...reportStatement("compliance", { ...options, period, by: [], onlyStates: [] }),
  );
  const notes = await noteCompliance(mart, total);
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement("compliance", { ...options, period }));
  const spans = noteSpans(reportColumns("compliance", options.by), days);
  return {
    title: options.by.length > 0 ? `Compliance by ${options.by.join(", ")}` : "Compliance",
    ...days,
    filters: [...filters, ...(onlyStates.length > 0 ? [`only with ${onlyStates.join(" or ")} days`] : [])],
    version: mart.version,
    columns: spans.columns,
    ...pickColumns(stream, spans.columns),
    notes: [...notes, ...spans.notes],
  };
}
