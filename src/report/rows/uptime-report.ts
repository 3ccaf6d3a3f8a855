import { readSql } from "../../engines/sql-file.ts";
import { byColumns } from "../columns/by-columns.ts";
import { pickColumns, type ReportColumnsBy, shownColumns } from "../columns/pick-columns.ts";
import { getDevicesAsOf, noteNoDevices } from "../findings/devices-as-of.ts";
import { describeFilters, noteUnknownIds, placeParameters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn } from "../report.ts";

/** The columns that each word of `--by` brings, in the order of the SQL's flags. */
const columnsBy: ReportColumnsBy = {
  device: [{ name: "device_id", type: "integer" }],
  zone: byColumns.zone,
  location: byColumns.location,
  group: byColumns.group,
  date: byColumns.date,
  week: byColumns.week,
  month: byColumns.month,
};

const measures: readonly ReportColumn[] = [
  { name: "devices", type: "integer" },
  { name: "up_seconds", type: "integer" },
  { name: "down_seconds", type: "integer" },
  { name: "unknown_seconds", type: "integer" },
  { name: "availability", type: "share" },
  { name: "coverage", type: "share" },
  { name: "open_availability", type: "share" },
  { name: "planned_down_seconds", type: "integer" },
  { name: "availability_without_planned", type: "share" },
  { name: "outages", type: "integer" },
  { name: "silent_seconds", type: "integer" },
  { name: "playing_while_down_seconds", type: "integer" },
  { name: "resolution_seconds", type: "integer" },
];

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
    ...Object.keys(columnsBy).map((word) => options.by.includes(word)),
  ]);
  const columns = shownColumns(options.by, columnsBy, measures);
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
