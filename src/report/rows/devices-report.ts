import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { noteNoDevices } from "../findings/device-checks.ts";
import { getReportAsOf } from "../findings/report-as-of.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** The devices as they were seen last, those that need a look first. */
export async function buildDevicesReport(mart: PublishedMart, options: ReportOptions): Promise<Report> {
  const dataAsOf = await getReportAsOf(mart, options);
  const notes = await noteNoDevices(mart, options);
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement("devices", options));
  const columns = reportColumns("devices");
  return {
    title: "Devices",
    filters: [...filters, ...(options.top ? [`the first ${options.top}`] : [])],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
