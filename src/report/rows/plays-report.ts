import { pickColumns } from "../columns/pick-columns.ts";
import { reportColumns } from "../columns/report-columns.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { noteSpans } from "../findings/reported-spans.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report } from "../report.ts";

/** What played, and how often: one row per combination of what `--by` names, or one for all. */
export async function buildPlaysReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const days = await getReportedDays(mart, options, now);
  const { period } = days;
  const notes = await noteOtherPeriod(mart, period);
  const filters = await describeFilters(mart, options);
  const stream = await mart.stream(...reportStatement("plays", { ...options, period }));
  const spans = noteSpans(reportColumns("plays", options.by), days);
  return {
    title: options.by.length > 0 ? `Plays by ${options.by.join(", ")}` : "Plays",
    ...days,
    filters: [...filters, ...(options.top ? [`the ${options.top} largest`] : [])],
    version: mart.version,
    columns: spans.columns,
    ...pickColumns(stream, spans.columns),
    notes: [...notes, ...spans.notes],
  };
}

/** Says so when the period lies wholly before or after all plays: figures of zero alone would puzzle. */
async function noteOtherPeriod(mart: PublishedMart, { from, to }: Period): Promise<string[]> {
  const [span] = await mart.all<{ first: string | null; last: string | null }>(
    "select min(first_play_date) as first, max(last_play_date) as last from dim_zone",
  );
  if (!span?.first || !span.last) return ["Nothing has been played yet."];
  if (to >= span.first && from <= span.last) return [];
  return [`Nothing played from ${from} to ${to}: plays range from ${span.first} to ${span.last}.`];
}
