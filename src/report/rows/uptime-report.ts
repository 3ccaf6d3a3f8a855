import { noteTooFewChecks } from "../findings/device-checks.ts";
import { listPlannedNotices, notePlannedNotices } from "../findings/planned-notices.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import { readGrouped } from "./grouped-rows.ts";

/** How long devices were up and down: one row per combination of what `--by` names, or one for all. */
export async function buildUptimeReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const notes = [
    ...(await noteTooFewChecks(mart, options)),
    ...notePlannedNotices(await listPlannedNotices(mart, options, days.period)),
  ];
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(mart, options, days);
  return {
    title: options.by.length > 0 ? `Uptime by ${options.by.join(", ")}` : "Uptime",
    ...grouped,
    filters,
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}
