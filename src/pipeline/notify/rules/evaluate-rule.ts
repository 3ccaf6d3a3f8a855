import { isId } from "../../../report/columns/readable-order.ts";
import { findStaleSources } from "../../../report/findings/stale-sources.ts";
import { describePage } from "../../../report/html/describe-page.ts";
import { ReportOptionError } from "../../../report/options/report-option-error.ts";
import { type ReportRequest, withAvailabilityTarget } from "../../../report/options/report-options.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import type { Report, ReportRow } from "../../../report/report.ts";
import type { ReportName } from "../../../report/report-name.ts";
import { reports } from "../../../report/reports.ts";
import { runReport } from "../../../report/run-report.ts";
import { formatDuration, formatPeriod } from "../../../report/text/readable-text.ts";
import { findClosestWord } from "../../../util/text/words.ts";
import { evaluateOverview } from "./evaluate-overview.ts";
import { type EvaluateOptions, type Evaluation, maxRows, type ShownRow } from "./evaluation.ts";
import { createJudge, findKnownDevices } from "./judge-rows.ts";
import type { Comparison, Condition, Rule } from "./read-rules.ts";
import { type RowReader, readRowsOf } from "./view-rows.ts";

/** @throws {VenueError} if the view names something that is not published, or the user's own report fails */
export async function evaluateRule(
  mart: PublishedMart,
  { request, condition }: Pick<Rule, "request" | "condition">,
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  if (request === undefined) return await evaluateOverview(mart, condition, { settings, now });
  const options = withAvailabilityTarget({ ...request, format: "html" as const }, settings);
  // Read before the rows, because another statement would end the rows' stream.
  const devices = await findKnownDevices(mart, request.report, { settings, now });
  const report = await runReport(mart, { ...options, ...sortUrgentFirst(options, condition) }, now);
  const comparison = typeof condition === "object" ? condition : undefined;
  assertHasColumn(report, comparison);
  const reader = readRowsOf(report, options, comparison?.column);
  const isJudged = createJudge(options, reader, { comparison, columns: report.columns, devices });
  const matching = new Map<string, ShownRow>();
  const sorted = { clear: new Set<string>(), unknown: new Set<string>() };
  const sortOut = (row: ReportRow) => {
    const subject = reader.subjectOf(row);
    if (!matching.has(subject)) sorted[isJudged(row) ? "clear" : "unknown"].add(subject);
  };
  let rowCount = 0;
  for await (const row of report.rows) {
    rowCount += 1;
    const subject = condition === "always" ? String(rowCount) : reader.subjectOf(row);
    if (condition === "always" ? rowCount <= maxRows : isJudged(row) && meets(row, reader, comparison)) {
      if (!matching.has(subject))
        matching.set(subject, { label: reader.labelOf(row), cells: reader.cellsOf(row) });
    } else if (condition !== "always") sortOut(row);
  }
  const { top, per, ...whole } = options;
  const pushedOff = new Set<string>();
  if (condition !== "always" && top !== undefined)
    for await (const row of (await runReport(mart, whole, now)).rows)
      if (isJudged(row) && meets(row, reader, comparison)) pushedOff.add(reader.subjectOf(row));
  if (condition !== "always" && hidesRows(request)) {
    const { onlyStates, search, ...everything } = whole;
    for await (const row of (await runReport(mart, everything, now)).rows) sortOut(row);
  }
  for (const subject of matching.keys())
    for (const others of [pushedOff, ...Object.values(sorted)]) others.delete(subject);
  for (const subject of pushedOff) sorted.clear.delete(subject);
  const suspended = await findWhySuspended(mart, report, { report: request.report, settings, now });
  const page = await describePage(report);
  const verdict = page?.headline ?? "";
  const when = report.period && formatPeriod(report.period);
  // Some answers already state the period.
  const scope = when === undefined || verdict.includes(when) ? [] : [when];
  return {
    title: [report.title, ...report.filters, ...scope].join(", "),
    verdict,
    columns: reader.columns,
    matching,
    notes: report.notes,
    rowCount,
    ...sorted,
    pushedOff,
    ...(suspended !== undefined && { suspended }),
    dataAsOf: report.dataAsOf,
  };
}

/** Sorts the most urgent rows first, unless the view or the report sets an order. */
function sortUrgentFirst(request: ReportRequest, condition: Condition): Pick<ReportRequest, "sort"> {
  if (request.sort || request.own) return {};
  if (typeof condition === "object")
    return { sort: { column: condition.column, isDown: condition.operator.startsWith(">") } };
  const share = reports[request.report].threshold;
  return share === undefined ? {} : { sort: { column: share, isDown: false } };
}

/** Returns true if the options hide rows that could show that a problem is over. */
function hidesRows({ onlyStates, search, top }: ReportRequest): boolean {
  return (onlyStates?.length ?? 0) > 0 || search !== undefined || top !== undefined;
}

function meets(row: ReportRow, reader: RowReader, comparison: Comparison | undefined): boolean {
  // An outage or silence that has ended does not meet any condition.
  if (reader.valueOf(row, "is_open") === false) return false;
  if (comparison === undefined) return true;
  const value = reader.valueOf(row, comparison.column);
  if (value === null || value === undefined) return false;
  const { limit } = comparison;
  return {
    "<": Number(value) < limit,
    "<=": Number(value) <= limit,
    ">": Number(value) > limit,
    ">=": Number(value) >= limit,
  }[comparison.operator];
}

/** @throws {ReportOptionError} unless the compared column holds numbers */
function assertHasColumn({ columns, title }: Report, comparison: Comparison | undefined): void {
  if (comparison === undefined) return;
  const numeric = columns
    .filter((column) => ["integer", "number", "share"].includes(column.type) && !isId(column))
    .map(({ name }) => name);
  if (numeric.includes(comparison.column)) return;
  const meant = findClosestWord(comparison.column, numeric);
  throw new ReportOptionError(
    "when",
    `"${comparison.column}" is not a column with numbers of “${title}”.${meant === undefined ? "" : ` Did you mean ${meant}?`} It has ${numeric.join(", ") || "none"}.`,
  );
}

/**
 * Sources that must be fresh, as in `VENUE_FRESHNESS`, before anything in a report can be judged. The other reports
 * mark unknown data by row or day.
 */
const neededTopics: Partial<Record<ReportName, readonly string[]>> = {
  compliance: ["campaigns"],
  schedule: ["campaigns", "assets"],
  delivery: ["campaigns"],
  outages: ["devices"],
  silences: ["devices", "history"],
  own: ["history", "devices", "campaigns", "assets", "status"],
};

async function findWhySuspended(
  mart: PublishedMart,
  { period, dataDays }: Report,
  { report, settings, now }: EvaluateOptions & { report: ReportName },
): Promise<string | undefined> {
  const stale = await findStaleSources(mart, now, settings.get("VENUE_FRESHNESS"));
  const old = stale.find(({ topic }) => neededTopics[report]?.includes(topic));
  if (old)
    return `Not judged: the last collection of ${old.topic} is more than ${formatDuration(old.limitHours * 3600)} old.`;
  if (period === undefined || (report !== "plays" && report !== "own")) return undefined;
  if (dataDays !== undefined && period.to <= dataDays.wholeTo) return undefined;
  return `Not judged: the data is not complete up to ${period.to}.`;
}
