import { listColumns, pickColumns } from "../columns/report-columns.ts";
import { formatAge, getDevicesAsOf, hoursSince, isStale } from "../findings/data-as-of.ts";
import { noteNoDevices, noteOutages, noteTooFewChecks } from "../findings/device-checks.ts";
import { findDeviceStates, listUnknownStatuses } from "../findings/device-states.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { buildStatement, describeFilters } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import type { RequestContext } from "../request-context.ts";
import { joinWords } from "../text/readable-text.ts";

/**
 * Lists outages that overlap the period in chronological order; with `--top`, those with the most downtime in
 * the period.
 */
export async function buildOutagesReport({ mart, options, days }: RequestContext): Promise<Report> {
  const notes = [
    ...(await noteTooFewChecks(mart, options, days.period)),
    ...(await noteOutages(mart, options, days)),
  ];
  return await listSpans({ file: "outages", title: "Outages" }, mart, options, days, notes);
}

/**
 * Lists silences that overlap the period in chronological order; with `--top`, those with the most silence in
 * the period.
 */
export async function buildSilencesReport({ mart, options, days }: RequestContext): Promise<Report> {
  const notes = await noteTooFewChecks(mart, options, days.period);
  return await listSpans({ file: "silences", title: "Silences" }, mart, options, days, notes);
}

async function listSpans(
  { file, title }: Pick<List, "file" | "title">,
  mart: PublishedMart,
  options: ReportOptions,
  days: ReportedDays,
  notes: readonly string[],
): Promise<Report> {
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...buildStatement(file, { ...options, period: days.period }));
  const columns = listColumns(file);
  return {
    title,
    ...days,
    filters: [...filters, ...(options.top ? [`the ${options.top} longest`] : [])],
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}

/** Lists the devices as of their last check, most urgent first. */
export async function buildDevicesReport({ mart, options, days, now }: RequestContext): Promise<Report> {
  const { onlyStates = [] } = options;
  const { dataAsOf } = days;
  const notes = [...(await noteNoDevices(mart, options)), ...(await noteDeviceStates(mart, options, now))];
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...buildStatement("devices", options));
  const columns = listColumns("devices");
  return {
    title: "Devices",
    filters: [
      ...filters,
      ...(onlyStates.length > 0 ? [`only ${joinWords(onlyStates, "or")} devices`] : []),
      ...(options.top ? [`the first ${options.top}`] : []),
    ],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
  };
}

async function noteDeviceStates(mart: PublishedMart, options: ReportOptions, now: Date): Promise<string[]> {
  const unknown = listUnknownStatuses(await findDeviceStates(mart, options));
  const checked = await getDevicesAsOf(mart, options, { history: false, notices: false });
  const stale =
    checked !== null && isStale(checked, now)
      ? `The oldest check is ${formatAge(hoursSince(checked, now))} old; device states may have changed since.`
      : undefined;
  return [unknown, stale].filter((note) => note !== undefined);
}

interface List {
  /** A list of the catalog. */
  file: string;
  title: string;
  isOfPeriod: boolean;
}

export async function buildListReport(
  { file, title, isOfPeriod }: List,
  { mart, options, days }: RequestContext,
): Promise<Report> {
  const { period, ...data } = days;
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...buildStatement(file, { ...options, period }));
  const columns = listColumns(file);
  return {
    title,
    ...(isOfPeriod && { period }),
    ...data,
    filters,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes: [],
  };
}
