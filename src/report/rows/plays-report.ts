import { sayNoHistory } from "../findings/no-history.ts";
import { getReportedDays } from "../findings/reported-days.ts";
import { describeFilters } from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report } from "../report.ts";
import { readGrouped } from "./grouped-rows.ts";

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
  const grouped = await readGrouped(mart, options, days);
  return {
    title: options.by.length > 0 ? `Plays by ${options.by.join(", ")}` : "Plays",
    ...grouped,
    filters: [...filters, ...(options.top ? [`the ${options.top} largest`] : [])],
    version: mart.version,
    notes: [...notes, ...grouped.notes],
  };
}

/** Says so when the period lies wholly before or after all plays: figures of zero alone would puzzle. */
async function noteOtherPeriod(mart: PublishedMart, { from, to }: Period): Promise<string[]> {
  const [span] = await mart.all<{ first: string | null; last: string | null }>(
    "select min(first_play_date) as first, max(last_play_date) as last from dim_zone",
  );
  if (!span?.first || !span.last)
    return [(await sayNoHistory(mart)) ?? "In all history that has been loaded nothing played."];
  if (to >= span.first && from <= span.last) return [];
  return [`Nothing played from ${from} to ${to}: plays range from ${span.first} to ${span.last}.`];
}
