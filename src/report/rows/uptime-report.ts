import { readSql } from "../../engines/sql-file.ts";
import { pickColumns } from "../columns/pick-columns.ts";
import { byWordsOf, reportColumns } from "../columns/report-columns.ts";
import { getDevicesAsOf, noteNoDevices } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** How long devices were up and down: one row per combination of what `--by` names, or one for all. */
export async function buildUptimeReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const dataAsOf = await getDevicesAsOf(mart, options, { history: true, notices: true });
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteNoDevices(mart))];
  const stream = await mart.stream(readSql("reports/uptime.sql"), [
    period.from,
    period.to,
    ...placeParameters(options),
    ...byWordsOf("uptime").map((word) => options.by.includes(word)),
  ]);
  const columns = reportColumns("uptime", options.by);
  return {
    title: options.by.length > 0 ? `Uptime by ${options.by.join(", ")}` : "Uptime",
    period,
    filters: describeFilters(options),
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}
