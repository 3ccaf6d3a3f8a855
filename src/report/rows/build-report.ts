import { chooseRows, isCompiled, type ReportEntry, takesPeriod } from "../catalog/report-entry.ts";
import { listColumns, listGroupingColumns, listMeasures, listShownColumns } from "../columns/list-columns.ts";
import { noteSpans } from "../findings/reported-days.ts";
import { compileRows, describeFilters } from "../options/build-statement.ts";
import type { Compare, ReportOptions } from "../options/request-options.ts";
import type { RequestContext } from "../request-context.ts";
import type { Report } from "../result-types.ts";
import { joinWords } from "../text/readable-text.ts";
import { formatGroupedTitle, formatReportTitle } from "../text/titles.ts";
import { listNotes } from "./report-notes.ts";
import { streamRows } from "./stream-rows.ts";

type Rows = Pick<Report, "period" | "comparison" | "columns" | "rows"> & Partial<Report>;

/** Builds the report of a request: title, filters, notes, and streaming rows. */
export async function buildReport(context: RequestContext): Promise<Report> {
  const { mart, options, days } = context;
  if (options.custom)
    return await (await import("../custom/build-custom-report.ts")).buildCustomReport(context);
  const entry = options.entry;
  const { period, dataAsOf, dataDays } = days;
  const notes = await listNotes(entry.notes ?? [], context);
  const filters = [...(await describeFilters(mart, options)), ...describeSelection(entry, options)];
  const found =
    options.compare === undefined
      ? await readRows(entry, context)
      : await readCompared(entry, options.compare, context);
  return {
    title: formatGroupedTitle(entry.title ?? formatReportTitle(entry.name), options.by),
    ...(takesPeriod(entry) && { period }),
    ...(dataDays && { dataDays }),
    dataAsOf,
    filters,
    ...(options.per && { per: listGroupingColumns(chooseRows(entry, options.by), options.per) }),
    version: mart.version,
    ...found,
    notes: [...notes, ...(found.notes ?? [])],
  };
}

/** Describes `--only` and `--top` for a heading. */
function describeSelection(
  { top: topWord, statesTitle = "…" }: ReportEntry,
  options: ReportOptions,
): string[] {
  const { onlyStates = [], top, per = [] } = options;
  const states = onlyStates.length > 0 ? [statesTitle.replace("…", joinWords(onlyStates, "or"))] : [];
  const groups = per.length > 0 ? ` per ${per.join(", ")}` : "";
  return [...states, ...(top === undefined ? [] : [`the ${top} ${topWord}${groups}`])];
}

async function readRows(entry: ReportEntry, context: RequestContext): Promise<Rows> {
  const { options, days } = context;
  const rows = chooseRows(entry, options.by);
  if (!isCompiled(rows)) {
    const { streamSections } = await import("./quality-sections.ts");
    const columns = listColumns(rows);
    return { columns, rows: streamSections(context, columns) };
  }
  const columns = listShownColumns(rows, options);
  const measures = listMeasures(rows, columns);
  const select = compileRows(rows, { ...options, period: days.period, measures });
  const spans = noteSpans(columns, days);
  return { ...spans, ...(await streamRows(context, select, spans.columns)) };
}

/** Reads rows joined with those of the compared period. */
async function readCompared(entry: ReportEntry, compare: Compare, context: RequestContext): Promise<Rows> {
  const { mart, options, days: reported, names } = context;
  const { compileComparison, findComparedDays } = await import("../compare/compared-statement.ts");
  const { noteDays, noteUnsettled, summarizeComparison } = await import("../compare/comparison-summary.ts");
  const columns = listShownColumns(entry, options);
  const days = findComparedDays(options, compare, reported);
  const summary = await summarizeComparison(mart, options, days, names);
  const { requested, period, other, isPossible } = days;
  const unsettled = await noteUnsettled(mart, options, days);
  const select = compileComparison(options, days, listMeasures(entry, columns));
  return {
    period,
    comparison: { requested, other, isPossible, summary },
    columns,
    ...(await streamRows(context, select, columns)),
    notes: [summary, ...noteDays(options, days), ...unsettled],
  };
}
