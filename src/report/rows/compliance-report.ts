import { noteCompliance, noteLeftOut, type ScheduledDays } from "../findings/compliance-notes.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import { readGrouped } from "./grouped-rows.ts";

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
  const notes = [
    ...(await noteCompliance(mart, total)),
    ...(await noteLeftOut(mart, { ...options, period })),
  ];
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(mart, options, days);
  return {
    title: options.by.length > 0 ? `Compliance by ${options.by.join(", ")}` : "Compliance",
    ...grouped,
    filters: [...filters, ...(onlyStates.length > 0 ? [`only with ${onlyStates.join(" or ")} days`] : [])],
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}
