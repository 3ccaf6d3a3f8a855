import { listGroupingColumns, listMeasures, listShownColumns } from "../columns/report-columns.ts";
import type { ScheduledDays } from "../findings/compliance-notes.ts";
import { explainMissingHistory, noteSpans, type ReportedDays } from "../findings/reported-days.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { buildStatement, compileRows, describeFilters } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report } from "../report.ts";
import { chooseReportFile } from "../report-file.ts";
import type { RequestContext } from "../request-context.ts";
import { formatDay } from "../text/readable-text.ts";
import { formatGroupedTitle } from "../text/titles.ts";
import { streamRows } from "./stream-rows.ts";

export async function buildPlaysReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  const { period } = days;
  const notes = [...(await noteOtherPeriod(mart, period)), ...(await noteDayparts(mart, options, days))];
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(context);
  return {
    title: formatGroupedTitle("Plays", options.by),
    ...grouped,
    filters: [...filters, ...describeTop(options)],
    ...(options.per && {
      per: listGroupingColumns(chooseReportFile(options.report, options.by), options.per),
    }),
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}

function describeTop({ top, per = [] }: ReportOptions): string[] {
  if (top === undefined) return [];
  return [`the ${top} largest${per.length > 0 ? ` per ${per.join(", ")}` : ""}`];
}

/** Returns a note if the period is entirely before or after all plays, to explain its zeros. */
async function noteOtherPeriod(mart: PublishedMart, { from, to }: Period): Promise<string[]> {
  const [span] = await mart.all<{ first: string | null; last: string | null }>(
    "select min(first_play_date) as first, max(last_play_date) as last from dim_zone",
  );
  if (!span?.first || !span.last)
    return [(await explainMissingHistory(mart)) ?? "The loaded history has no plays."];
  if (to >= span.first && from <= span.last) return [];
  return [`No plays from ${from} to ${to}: plays range from ${span.first} to ${span.last}.`];
}

async function noteDayparts(
  mart: PublishedMart,
  { by }: ReportOptions,
  { period, dataDays }: ReportedDays,
): Promise<string[]> {
  if (!by.includes("daypart")) return [];
  const [last] = await mart.all<{ daypart: string; to_secs: number }>(
    "select daypart, to_secs from dim_daypart order by to_secs desc limit 1",
  );
  if (!last)
    return [
      `No dayparts are known${mart.isShared ? "" : ": name them in reference/dayparts.csv, and run `venue build`"}.`,
    ];
  if (dataDays === undefined || period.to <= dataDays.wholeTo || Number(last.to_secs) <= 86_400) return [];
  return [
    `Days after ${formatDay(dataDays.wholeTo)} are incomplete: the data ends before their last daypart, ${last.daypart}.`,
  ];
}

export async function buildComplianceReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  const { period } = days;
  const { onlyStates = [] } = options;
  const { noteCompliance, noteExcludedDays, noteNeverPlayed } = await import(
    "../findings/compliance-notes.ts"
  );
  // The note is about all rows.
  const { measures: _measures, ...filtered } = options;
  const scheduled = await mart.all<ScheduledDays>(
    ...buildStatement("scheduled_days", { ...filtered, by: [], period }),
  );
  const notes = [
    ...(await noteCompliance(mart, scheduled[0])),
    ...(await noteNeverPlayed(mart, { ...options, period })),
    ...(await noteExcludedDays(mart, { ...options, period })),
  ];
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(context);
  return {
    title: formatGroupedTitle("Compliance", options.by),
    ...grouped,
    filters: [...filters, ...(onlyStates.length > 0 ? [`only with ${onlyStates.join(" or ")} days`] : [])],
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}

export async function buildUptimeReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  const { noteTooFewChecks } = await import("../findings/device-checks.ts");
  const { listPlannedNotices, notePlannedNotices } = await import("../findings/planned-notices.ts");
  const notes = [
    ...(await noteTooFewChecks(mart, options, days.period)),
    ...notePlannedNotices(await listPlannedNotices(mart, options, days.period)),
  ];
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(context);
  return {
    title: formatGroupedTitle("Uptime", options.by),
    ...grouped,
    filters,
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}

/** Reports which campaigns should run on the coming days, according to the newest listings. */
export async function buildScheduleReport(context: RequestContext): Promise<Report> {
  const { mart, options } = context;
  const filters = await describeFilters(mart, options);
  const grouped = await readGrouped(context);
  return {
    title: formatGroupedTitle("Schedule", options.by),
    ...grouped,
    filters,
    version: mart.version,
  };
}

/** Reads rows per combination of the `--by` values, joined with the compared period if requested. */
async function readGrouped(
  context: RequestContext,
): Promise<Pick<Report, "period" | "dataDays" | "dataAsOf" | "comparison" | "columns" | "rows" | "notes">> {
  const { mart, options, days: reported, names } = context;
  const { report, by, compare } = options;
  const file = chooseReportFile(report, by);
  const columns = listShownColumns(file, options);
  const measures = listMeasures(file, columns);
  if (compare === undefined) {
    const select = compileRows(file, { ...options, period: reported.period, measures });
    const spans = noteSpans(columns, reported);
    return { ...reported, ...spans, ...(await streamRows(context, select, spans.columns)) };
  }
  const { compileComparison, findComparedDays } = await import("../compare/compared-statement.ts");
  const { noteDays, noteUnsettled, summarizeComparison } = await import("../compare/comparison-summary.ts");
  const days = findComparedDays(options, compare, reported);
  const summary = await summarizeComparison(mart, options, days, names);
  const { requested, period, other, isPossible } = days;
  const unsettled = await noteUnsettled(mart, options, days);
  return {
    ...reported,
    period,
    comparison: { requested, other, isPossible, summary },
    columns,
    ...(await streamRows(context, compileComparison(options, days, measures), columns)),
    notes: [summary, ...noteDays(options, days), ...unsettled],
  };
}
