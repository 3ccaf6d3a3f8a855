import { readSql } from "../../engines/sql-file.ts";
import { pickColumns } from "../columns/pick-columns.ts";
import { getDevicesAsOf, noteNoDevices } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn } from "../report.ts";

const columns: readonly ReportColumn[] = [
  { name: "zone_id", type: "integer" },
  { name: "zone_name", type: "text" },
  { name: "location_name", type: "text" },
  { name: "device_id", type: "integer" },
  { name: "status", type: "text" },
  { name: "down_for_seconds", type: "integer" },
  { name: "silent_for_seconds", type: "integer" },
  { name: "last_online_at", type: "instant" },
  { name: "last_play_at", type: "instant" },
  { name: "last_sd_error", type: "text" },
  { name: "storage_used_share", type: "share" },
  { name: "firmware", type: "text" },
  { name: "version", type: "text" },
];

/** The devices as they were seen last, those that need a look first. */
export async function buildDevicesReport(mart: PublishedMart, options: ReportOptions): Promise<Report> {
  const dataAsOf = await getDevicesAsOf(mart, options, { history: true, notices: false });
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteNoDevices(mart))];
  const stream = await mart.stream(readSql("reports/devices.sql"), [
    ...placeParameters(options),
    options.top ?? null,
  ]);
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
