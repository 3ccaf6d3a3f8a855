import { pickColumns } from "../columns/pick-columns.ts";
import { shownColumns } from "../columns/report-columns.ts";
import { findComparedDays } from "../compare/compared-days.ts";
import { comparedStatement } from "../compare/compared-statement.ts";
import { noteDays, noteUnsettled, sayComparison } from "../compare/say-comparison.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { noteSpans } from "../findings/reported-spans.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";

/** A report's rows per combination of what `--by` names, and beside them those of another period where one was asked for. */
export async function readGrouped(
  mart: PublishedMart,
  options: ReportOptions,
  reported: ReportedDays,
): Promise<
  Pick<Report, "period" | "dataDays" | "dataAsOf" | "comparison" | "columns" | "rows" | "chunks" | "notes">
> {
  const { report, compare } = options;
  const columns = shownColumns(report, options);
  if (compare === undefined) {
    const stream = await mart.stream(...reportStatement(report, { ...options, period: reported.period }));
    const spans = noteSpans(columns, reported);
    return { ...reported, ...spans, ...pickColumns(stream, spans.columns) };
  }
  const days = findComparedDays(options, compare, reported);
  const said = await sayComparison(mart, options, days);
  const { asked, period, other, isPossible } = days;
  const unsettled = await noteUnsettled(mart, options, days);
  const stream = await mart.stream(...comparedStatement(options, days));
  return {
    ...reported,
    period,
    comparison: { asked, other, isPossible, said },
    columns,
    ...pickColumns(stream, columns),
    notes: [said, ...noteDays(options, days), ...unsettled],
  };
}
