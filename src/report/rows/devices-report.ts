import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { ageText, hoursSince, isStale } from "../findings/data-age.ts";
import { noteNoDevices } from "../findings/device-checks.ts";
import { findDeviceStates, sayUnknownStatuses } from "../findings/device-states.ts";
import { getDevicesAsOf } from "../findings/devices-as-of.ts";
import { getReportAsOf } from "../findings/report-as-of.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportValue } from "../report.ts";

/** The devices as they were seen last, those that need a look first. */
export async function buildDevicesReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const dataAsOf = await getReportAsOf(mart, options);
  const notes = [...(await noteNoDevices(mart, options)), ...(await noteStates(mart, options, now))];
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

/** States that are unknown, or older than they look. */
async function noteStates(
  mart: PublishedMart,
  { top: _top, ...options }: ReportOptions,
  now: Date,
): Promise<string[]> {
  const devices = await mart.all<Record<string, ReportValue>>(...reportStatement("devices", options));
  const unknown = sayUnknownStatuses(await findDeviceStates(mart, devices));
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const stale =
    checked !== null && isStale(checked, now)
      ? `The oldest check is ${ageText(hoursSince(checked, now))} old; devices may be in another state by now.`
      : undefined;
  return [unknown, stale].filter((note) => note !== undefined);
}
