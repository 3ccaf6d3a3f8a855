import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { noteTooFewChecks } from "../findings/device-checks.ts";
import { noteOutages } from "../findings/outage-checks.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** The outages that overlap the period, in order of time; with `--top` those with most down time in it. */
export async function buildOutagesReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const { period } = days;
  const notes = [...(await noteTooFewChecks(mart, options)), ...(await noteOutages(mart, options, days))];
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement("outages", { ...options, period }));
  const columns = reportColumns("outages");
  return {
    title: "Outages",
    ...days,
    filters: [...filters, ...(options.top ? [`the ${options.top} longest`] : [])],
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
