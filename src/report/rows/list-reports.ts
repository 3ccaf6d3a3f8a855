import { listColumns } from "../columns/report-columns.ts";
import { formatAge, getDevicesAsOf, hoursSince, isStale } from "../findings/data-as-of.ts";
import { noteNoDevices, noteOutages, noteTooFewChecks } from "../findings/device-checks.ts";
import { findDeviceStates, listUnknownStatuses } from "../findings/device-states.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { compileRows, describeFilters } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import type { RequestContext } from "../request-context.ts";
import { joinWords } from "../text/readable-text.ts";
import { streamRows } from "./stream-rows.ts";

/**
 * Lists outages that overlap the period in chronological order; with `--top`, those with the most downtime in
 * the period.
 */
export async function buildOutagesReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  const notes = [
    ...(await noteTooFewChecks(mart, options, days.period)),
    ...(await noteOutages(mart, options, days)),
  ];
  return await listSpans({ file: "outages", title: "Outages" }, context, notes);
}

/**
 * Lists silences that overlap the period in chronological order; with `--top`, those with the most silence in
 * the period.
 */
export async function buildSilencesReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  const notes = await noteTooFewChecks(mart, options, days.period);
  return await listSpans({ file: "silences", title: "Silences" }, context, notes);
}

async function listSpans(
  { file, title }: Pick<List, "file" | "title">,
  context: RequestContext,
  notes: readonly string[],
): Promise<Report> {
  const { mart, options, days } = context;
  const filters = await describeFilters(mart, options);
  const columns = listColumns(file);
  const select = compileRows(file, { ...options, period: days.period });
  return {
    title,
    ...days,
    filters: [...filters, ...(options.top ? [`the ${options.top} longest`] : [])],
    version: mart.version,
    columns,
    ...(await streamRows(context, select, columns)),
    notes,
  };
}

/** Lists the devices as of their last check, most urgent first. */
export async function buildDevicesReport(context: RequestContext): Promise<Report> {
  const { mart, options, days, now } = context;
  const { onlyStates = [] } = options;
  const { dataAsOf } = days;
  const notes = [...(await noteNoDevices(mart, options)), ...(await noteDeviceStates(mart, options, now))];
  const filters = await describeFilters(mart, options);
  const columns = listColumns("devices");
  const select = compileRows("devices", options);
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
    ...(await streamRows(context, select, columns)),
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
  context: RequestContext,
): Promise<Report> {
  const { mart, options, days } = context;
  const { period, ...data } = days;
  const filters = await describeFilters(mart, options);
  const columns = listColumns(file);
  const select = compileRows(file, { ...options, period });
  return {
    title,
    ...(isOfPeriod && { period }),
    ...data,
    filters,
    version: mart.version,
    columns,
    ...(await streamRows(context, select, columns)),
    notes: [],
  };
}
