import type { Settings } from "../../../config/settings.ts";
import { isId } from "../../../report/columns/readable-order.ts";
import { findStaleSources } from "../../../report/findings/stale-sources.ts";
import { describePage } from "../../../report/html/describe-page.ts";
import { ReportOptionError } from "../../../report/options/option-error.ts";
import { type ReportRequest, withAvailabilityTarget } from "../../../report/options/request-options.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import type { Report, ReportRow, ReportValue } from "../../../report/result-types.ts";
import { runReport } from "../../../report/run-report.ts";
import { formatInstant } from "../../../report/text/cell-text.ts";
import { formatDuration, formatPeriod } from "../../../report/text/readable-text.ts";
import { findClosestWord } from "../../../util/text/words.ts";
import type { Comparison, Condition } from "./read-rules.ts";
import { describeSubject, findIncidentTraits, readEntities, type Subject } from "./view-entities.ts";

interface Span {
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  startedAt: string;
  seconds: number;
}

export interface Match {
  label: string;
  cells: readonly string[];
  /** Start, and length as of the last check. Absent if the view has no spans. */
  span?: Span | undefined;
}

/** Result of a rule on one published version. Entities are JSON keys: see `EntityReader`. */
export interface Evaluation {
  title: string;
  subject: Subject;
  /** The view's answer in a sentence. */
  answer: string;
  /** The report's notes, e.g. which sources are missing. */
  notes: readonly string[];
  /** Labels of the rows' cells. */
  columns: readonly string[];
  /** Entities that meet the condition, most urgent first; with `always`, the view's first rows. */
  matching: ReadonlyMap<string, Match>;
  /** True if the view has incident spans. */
  hasSpans: boolean;
  /** Number of all rows in the view. */
  rowCount: number;
  /** Entities with too little data, or left out by `top`; their incidents stay as they are. */
  undecided: ReadonlySet<string>;
  /** Set if the data is too old or incomplete to evaluate the condition: the reason, as a sentence. */
  suspended?: string | undefined;
  /** `YYYY-MM-DDTHH:MM:SSZ`; null if unknown. */
  dataAsOf: string | null;
}

/** Maximum rows of one rule in a message. */
export const maxRows = 20;

export interface EvaluateOptions {
  settings: Settings;
  now: Date;
}

/** @throws {VenueError} if the view names something that is not published, or the custom report fails */
export async function evaluateRule(
  mart: PublishedMart,
  { request, condition }: { request: ReportRequest; condition: Condition },
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  const options = withAvailabilityTarget({ ...request, format: "html" as const }, settings);
  const comparison = typeof condition === "object" ? condition : undefined;
  // Created before the rows, because its statement would end the rows' stream.
  const meets = await createTest(mart, { request, comparison }, { settings, now });
  const report = await runReport(mart, { ...options, ...sortUrgentFirst(options, condition) }, now);
  if (comparison) assertHasColumn(report, comparison);
  const { keyOf, labelOf, cellsOf, columns } = readEntities(report, request, comparison?.column);
  const names = report.columns.map(({ name }) => name);
  const test = (row: ReportRow) => meets((name) => row[names.indexOf(name)]);
  const isAlways = condition === "always";
  const readSpan = createSpanReader(request, comparison);
  const matching = new Map<string, Match>();
  const undecided = new Set<string>();
  let rowCount = 0;
  for await (const row of report.rows) {
    rowCount += 1;
    const key = isAlways ? `${rowCount}` : keyOf(row);
    const isMet = isAlways ? rowCount <= maxRows : test(row);
    if (isMet === undefined) undecided.add(key);
    else if (isMet && !matching.has(key)) {
      const span = readSpan?.((name) => row[names.indexOf(name)]);
      matching.set(key, { label: labelOf(row), cells: cellsOf(row), span });
    }
  }
  for (const { hidesMatches, ...wider } of isAlways ? [] : listWiderRequests(options))
    for await (const row of (await runReport(mart, wider, now)).rows) {
      const isMet = test(row);
      if (isMet === undefined || (isMet && hidesMatches)) undecided.add(keyOf(row));
    }
  for (const key of matching.keys()) undecided.delete(key);
  const suspended = isAlways ? undefined : await findWhySuspended(mart, report, { request, settings, now });
  const answer = (await describePage(report))?.headline ?? "";
  const period = report.period && formatPeriod(report.period);
  return {
    // Some answers already contain the period.
    title: [report.title, ...report.filters, ...(period && !answer.includes(period) ? [period] : [])].join(
      ", ",
    ),
    subject: describeSubject(request, comparison),
    answer,
    notes: report.notes,
    columns,
    matching: suspended === undefined ? matching : new Map(),
    hasSpans: readSpan !== undefined,
    rowCount,
    undecided,
    suspended,
    dataAsOf: report.dataAsOf,
  };
}

/** Sorts the most urgent rows first, unless the view or the report sets an order. */
function sortUrgentFirst(request: ReportRequest, condition: Condition): Pick<ReportRequest, "sort"> {
  if (request.sort || request.custom) return {};
  if (typeof condition === "object")
    return { sort: { column: condition.column, isDown: condition.operator.startsWith(">") } };
  const share = request.entry.threshold;
  return share === undefined ? {} : { sort: { column: share, isDown: false } };
}

/**
 * Lists requests for the rows that `top`, `only` and `search` hide. Entities with too little data may be among
 * them. `top` can also hide entities that meet the condition.
 */
function listWiderRequests({
  top,
  per,
  ...all
}: ReportRequest): (ReportRequest & { hidesMatches: boolean })[] {
  const { onlyStates = [], search, ...unfiltered } = all;
  return [
    ...(top === undefined ? [] : [{ ...all, hidesMatches: true }]),
    ...(onlyStates.length === 0 && search === undefined ? [] : [{ ...unfiltered, hidesMatches: false }]),
  ];
}

const operators: Readonly<Record<Comparison["operator"], (value: number, limit: number) => boolean>> = {
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** Returns a function that tests a row. The function returns `undefined` for a row with too little data. */
async function createTest(
  mart: PublishedMart,
  { request, comparison }: { request: ReportRequest; comparison: Comparison | undefined },
  { settings, now }: EvaluateOptions,
): Promise<(read: (column: string) => ReportValue | undefined) => boolean | undefined> {
  const { key = [], blankIsNone = [], checks } = findIncidentTraits(request) ?? {};
  const asked: readonly unknown[] = request.onlyStates ?? [];
  const mayBeBlank = comparison !== undefined && blankIsNone.includes(comparison.column);
  const required = [request.entry.threshold, mayBeBlank ? undefined : comparison?.column];
  const isAskedForOthers = asked.length > 0 && asked.every((state) => state === checks?.otherState);
  const needsState = comparison ? mayBeBlank : !isAskedForOthers;
  const limitMs = (settings.get("VENUE_FRESHNESS")[checks?.topic ?? ""] ?? Infinity) * 3_600_000;
  const statement = `select ${key.join()}, last_seen_at, state from ${checks?.table}`;
  const rows = checks ? await mart.all<Record<string, string>>(statement) : [];
  const checkByKey = new Map(rows.map((row) => [key.map((name) => row[name]).join(), row]));
  return (read) => {
    if (required.some((name) => name !== undefined && read(name) === null)) return undefined;
    if (checks) {
      const { last_seen_at: at = "", state } = checkByKey.get(key.map(read).join()) ?? {};
      if (!(now.getTime() - Date.parse(formatInstant(at)) <= limitMs)) return undefined;
      if (state === "unknown" && needsState && !asked.includes(read("state"))) return undefined;
    }
    // An outage or silence that has ended does not meet any condition.
    if (read("is_open") === false) return false;
    if (comparison === undefined) return true;
    const value = read(comparison.column);
    return value !== null && operators[comparison.operator](Number(value), comparison.limit);
  };
}

/** Returns a function that reads a row's span. Returns `undefined` if the view has no spans for its incidents. */
function createSpanReader(
  request: ReportRequest,
  comparison: Comparison | undefined,
): ((read: (column: string) => ReportValue | undefined) => Span | undefined) | undefined {
  const { start = "", seconds = "", of } = findIncidentTraits(request)?.span ?? {};
  const found = comparison ? [comparison.column] : (request.onlyStates ?? []);
  if (start === "" || (of && !found.some((name) => of.includes(name)))) return undefined;
  return (read) => {
    const [from, length] = [read(start), read(seconds)];
    const isOther = of && !comparison && !of.includes(`${read("state")}`);
    if (from == null || length == null || isOther) return undefined;
    return { startedAt: formatInstant(`${from}`), seconds: Number(length) };
  };
}

/** @throws {ReportOptionError} unless the compared column is numeric */
function assertHasColumn({ columns, title }: Report, { column: compared }: Comparison): void {
  const numeric = columns
    .filter((column) => ["integer", "number", "share"].includes(column.type) && !isId(column))
    .map(({ name }) => name);
  if (numeric.includes(compared)) return;
  const meant = findClosestWord(compared, numeric);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const message = `"${compared}" is not a numeric column of “${title}”.${hint} Numeric columns: ${numeric.join(", ") || "none"}.`;
  throw new ReportOptionError("when", message);
}

async function findWhySuspended(
  mart: PublishedMart,
  { period, dataDays }: Report,
  { request, settings, now }: EvaluateOptions & { request: ReportRequest },
): Promise<string | undefined> {
  const { sources = [], needsWholePeriod } = findIncidentTraits(request) ?? {};
  const stale = await findStaleSources(mart, now, settings.get("VENUE_FRESHNESS"));
  const old = stale.find(({ topic }) => sources.includes(topic));
  if (old)
    return `Not evaluated: the last collection of ${old.topic} is more than ${formatDuration(old.limitHours * 3600)} old.`;
  const isIncomplete = period && (dataDays === undefined || period.to > dataDays.wholeTo);
  return needsWholePeriod && isIncomplete
    ? `Not evaluated: the data is not complete up to ${period.to}.`
    : undefined;
}
