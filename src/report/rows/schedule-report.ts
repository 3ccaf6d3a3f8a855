import { getReportedDays } from "../findings/reported-days.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { describeFilters } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import { readGrouped } from "./grouped-reports.ts";

/** Reports which campaigns should run on the coming days, according to the newest listings. */
export async function buildScheduleReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(mart, options, days);
  return {
    title: options.by.length > 0 ? `Schedule by ${options.by.join(", ")}` : "Schedule",
    ...grouped,
    filters,
    version: mart.version,
  };
}
