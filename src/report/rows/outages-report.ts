import { readSql } from "../../engines/sql-file.ts";
import { pickColumns } from "../columns/pick-columns.ts";
import { getDevicesAsOf, noteNoDevices } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn } from "../report.ts";

const columns: readonly ReportColumn[] = [
  { name: "zone_id", type: "integer" },
  { name: "zone_name", type: "text" },
  { name: "location_name", type: "text" },
  { name: "device_id", type: "integer" },
  { name: "started_at", type: "instant" },
  { name: "ended_at", type: "instant" },
  { name: "down_seconds", type: "integer" },
  { name: "is_open", type: "boolean" },
  { name: "planned", type: "boolean" },
  { name: "notices", type: "text" },
];

/** The outages that overlap the period, clipped to it, in order of time; with `--top` the longest. */
export async function buildOutagesReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const dataAsOf = await getDevicesAsOf(mart, options, { history: false, notices: true });
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteNoDevices(mart))];
  const stream = await mart.stream(readSql("reports/outages.sql"), [
    period.from,
    period.to,
    ...placeParameters(options),
    options.top ?? null,
  ]);
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
