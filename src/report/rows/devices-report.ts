import { readSql } from "../../engines/sql-file.ts";
import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { getDevicesAsOf, noteNoDevices } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** The devices as they were seen last, those that need a look first. */
export async function buildDevicesReport(mart: PublishedMart, options: ReportOptions): Promise<Report> {
  const dataAsOf = await getDevicesAsOf(mart, options, { history: true, notices: false });
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteNoDevices(mart))];
  const stream = await mart.stream(readSql("reports/devices.sql"), [
    ...placeParameters(options),
    options.top ?? null,
  ]);
  const columns = reportColumns("devices");
  return {
    title: "Devices",
    filters: [...describeFilters(options), ...(options.top ? [`the first ${options.top}`] : [])],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
