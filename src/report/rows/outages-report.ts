import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { noteTooFewChecks } from "../findings/device-checks.ts";
import { getDevicesAsOf } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** The outages that overlap the period, clipped to it, in order of time; with `--top` the longest. */
export async function buildOutagesReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const dataAsOf = await getDevicesAsOf(mart, options, { history: false, notices: true });
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteTooFewChecks(mart, options))];
  const stream = await mart.stream(...reportStatement("outages", { ...options, period }));
  const columns = reportColumns("outages");
  return {
    title: "Outages",
    period,
    filters: [...describeFilters(options), ...(options.top ? [`the ${options.top} longest`] : [])],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
