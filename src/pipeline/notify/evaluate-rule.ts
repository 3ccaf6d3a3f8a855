import type { Settings } from "../../config/settings.ts";
import { findStaleSources } from "../../report/findings/stale-sources.ts";
import { ReportOptionError } from "../../report/options/report-option-error.ts";
import { type ReportRequest, withAvailabilityTarget } from "../../report/options/report-options.ts";
import { buildOverview } from "../../report/overview/overview.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { Report, ReportRow } from "../../report/report.ts";
import type { ReportName } from "../../report/report-name.ts";
import { runReport } from "../../report/run-report.ts";
import { formatInstant } from "../../report/text/cell-text.ts";
import { formatCount, formatDuration, formatMoment } from "../../report/text/readable-text.ts";
import type { Comparison, Condition, Rule } from "./rules.ts";
import { type RowReader, readRowsOf } from "./view-rows.ts";

/** What one published version shows about a rule. Subjects are JSON, see `RowReader`. */
export interface Evaluation {
  title: string;
  /** The view's answer. */
  verdict: string;
  notes: readonly string[];
  /** Labels of the rows' cells. */
  columns: readonly string[];
  /** Rows that can be judged and meet the condition, most urgent first; with `always`, the first ones. */
  matching: ReadonlyMap<string, ShownRow>;
  /** Number of rows with `always`. */
  rowCount: number;
  /** Subjects that can be judged and do not meet the condition. */
  clear: ReadonlySet<string>;
  /** Subjects with too little data to be judged. */
  unknown: ReadonlySet<string>;
  /** Set if the data is too old or incomplete to judge any subject: the reason, as a sentence. */
  suspended?: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`; null if unknown. */
  dataAsOf: string | null;
}

export interface ShownRow {
  label: string;
  cells: readonly string[];
}

/** Maximum rows of one table in a message. */
export const maxRows = 20;

interface EvaluateOptions {
  settings: Settings;
  now: Date;
}

/** @throws {VenueError} if the view names something that is not published, or an own report fails */
export async function evaluateRule(
  mart: PublishedMart,
  { request, condition }: Pick<Rule, "request" | "condition">,
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  if (request === undefined) return await evaluateOverview(mart, condition, { settings, now });
  const options = withAvailabilityTarget({ ...request, format: "html" as const }, settings);
  const judge = await createJudge(mart, options, condition, { settings, now });
  const report = await runReport(mart, { ...options, ...sortUrgentFirst(options, condition) }, now);
  const comparison = typeof condition === "object" ? condition : undefined;
  assertHasColumn(report, comparison);
  const reader = readRowsOf(report, options, comparison?.column);
  const isJudged = (row: ReportRow) => judge(row, reader);
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
  if (condition !== "always" && hidesRows(request)) {
    const { onlyStates, search, top, per, ...everything } = options;
    const all = await runReport(mart, everything, now);
    for await (const row of all.rows) sortOut(row);
  }
  for (const subject of matching.keys()) for (const others of Object.values(sorted)) others.delete(subject);
  const suspended = await findWhySuspended(mart, report, { report: request.report, settings, now });
  const page = await report.describe?.();
  return {
    title: [report.title, ...report.filters].join(", "),
    verdict: page?.headline ?? "",
    notes: report.notes,
    columns: reader.columns,
    matching,
    rowCount,
    ...sorted,
    ...(suspended !== undefined && { suspended }),
    dataAsOf: report.dataAsOf,
  };
}

/** Most urgent first, unless the view or the report has an order. */
function sortUrgentFirst(request: ReportRequest, condition: Condition): Pick<ReportRequest, "sort"> {
  if (request.sort || request.own) return {};
  if (typeof condition === "object")
    return { sort: { column: condition.column, isDown: condition.operator.startsWith(">") } };
  const share = shares[request.report];
  return share === undefined ? {} : { sort: { column: share, isDown: false } };
}

/** Shares that are unknown where nothing could be judged. */
const shares: Partial<Record<ReportName, string>> = { compliance: "compliance", uptime: "availability" };

/** True for options that leave out rows which may be evidence that a problem is over. */
function hidesRows({ onlyStates, search, top }: ReportRequest): boolean {
  return (onlyStates?.length ?? 0) > 0 || search !== undefined || top !== undefined;
}

function meets(row: ReportRow, reader: RowReader, comparison: Comparison | undefined): boolean {
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
    .filter(({ type }) => ["integer", "number", "share"].includes(type))
    .map(({ name }) => name);
  if (numeric.includes(comparison.column)) return;
  throw new ReportOptionError(
    "when",
    `"${comparison.column}" is not a column with numbers of “${title}”. It has ${numeric.join(", ") || "none"}.`,
  );
}

/**
 * Returns a function that is false for rows with too little data: neither good nor bad. Call it before the report
 * runs, whose rows another statement would end.
 */
async function createJudge(
  mart: PublishedMart,
  { report, onlyStates }: ReportRequest,
  condition: Condition,
  { settings, now }: EvaluateOptions,
): Promise<(row: ReportRow, reader: RowReader) => boolean> {
  const share = shares[report];
  if (share !== undefined) return (row, reader) => reader.valueOf(row, share) !== null;
  // A line may have no target of this kind, or no settled day yet.
  if (report === "delivery" && typeof condition === "object")
    return (row, reader) => reader.valueOf(row, condition.column) !== null;
  if (report !== "devices") return () => true;
  const limitHours = settings.get("VENUE_FRESHNESS").devices ?? Number.POSITIVE_INFINITY;
  const seen = await mart.all<{ device_id: number; last_seen_at: string }>(
    "select device_id, last_seen_at from dim_device",
  );
  const isFresh = ({ last_seen_at: at }: (typeof seen)[number]) =>
    now.getTime() - Date.parse(formatInstant(at)) <= limitHours * 3_600_000;
  const fresh = new Set(seen.filter(isFresh).map(({ device_id: id }) => String(id)));
  const isUnknownAsked = onlyStates?.includes("unknown") ?? false;
  return (row, reader) =>
    fresh.has(String(reader.valueOf(row, "device_id"))) &&
    (isUnknownAsked || reader.valueOf(row, "state") !== "unknown");
}

/**
 * Sources, as in `VENUE_FRESHNESS`, without which nothing in a report can be judged. Others state by row or day
 * what is not known.
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

/** The overview's answers; as incidents, the sources that are older than `VENUE_FRESHNESS` allows. */
async function evaluateOverview(
  mart: PublishedMart,
  condition: Condition,
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  const limits = settings.get("VENUE_FRESHNESS");
  const { verdicts } = await buildOverview(mart, now, limits);
  const worse = verdicts.filter(({ status }) => status === "bad" || status === "needs attention");
  const about = {
    title: "Overview",
    verdict:
      worse.length === 0
        ? "Nothing needs attention."
        : `${formatCount(worse.length)} of ${formatCount(verdicts.length)} questions ${worse.length === 1 ? "needs" : "need"} attention.`,
    notes: [],
    rowCount: verdicts.length,
    unknown: new Set<string>(),
    dataAsOf: mart.dataAsOf,
  };
  if (condition === "always") {
    const rows = verdicts.map(({ question, status, answer }) => ({
      label: question,
      cells: [question, status, answer],
    }));
    return {
      ...about,
      columns: ["", "Status", "Answer"],
      matching: new Map(rows.map((row, index) => [String(index), row])),
      clear: new Set(),
    };
  }
  const stale = await findStaleSources(mart, now, limits);
  const rows = stale.map(({ topic, asOf, limitHours }) => {
    const label = `collection of ${topic}`;
    return [
      JSON.stringify([topic]),
      { label, cells: [label, formatMoment(asOf), formatDuration(limitHours * 3600)] },
    ] as const;
  });
  const matching = new Map(rows);
  const topics = Object.keys(limits).map((topic) => JSON.stringify([topic]));
  return {
    ...about,
    columns: ["", "Last collected", "Limit"],
    matching,
    clear: new Set(topics.filter((subject) => !matching.has(subject))),
  };
}
