import { readSql } from "../../engines/sql-file.ts";
import { byColumns } from "../columns/by-columns.ts";
import { pickColumns, type ReportColumnsBy, shownColumns } from "../columns/pick-columns.ts";
import { getDataAsOf } from "../findings/data-as-of.ts";
import {
  describeFilters,
  listParameter,
  noteUnknownIds,
  placeParameters,
} from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, Report, ReportColumn } from "../report.ts";

/** The columns that each word of `--by` brings, in the order of the SQL's flags and columns. */
const columnsBy: ReportColumnsBy = {
  kind: [{ name: "kind", type: "text" }],
  group: byColumns.group,
  location: byColumns.location,
  zone: byColumns.zone,
  item: [
    // An item's number says which item it is only together with its kind.
    { name: "kind", type: "text" },
    { name: "item_key", type: "integer" },
    { name: "item_id", type: "integer" },
    { name: "item_name", type: "text" },
  ],
  artist: [
    { name: "artist_id", type: "integer" },
    { name: "artist_name", type: "text" },
  ],
  date: byColumns.date,
  week: byColumns.week,
  month: byColumns.month,
  hour: [{ name: "hour", type: "integer" }],
};

const measures: readonly ReportColumn[] = [
  "plays",
  "play_seconds",
  "complete_plays",
  "measured_plays",
  "short_plays",
  "zones",
  "items",
].map((name) => ({ name, type: "integer" }));

/** What played, and how often: one row per combination of what `--by` names, or one for all. */
export async function buildPlaysReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const dataAsOf = await getDataAsOf(mart, options);
  const notes = [...(await noteUnknownIds(mart, options)), ...(await noteOtherPeriod(mart, period))];
  const stream = await mart.stream(readSql("reports/plays.sql"), [
    period.from,
    period.to,
    ...placeParameters(options),
    listParameter(options.kinds),
    options.top ?? null,
    ...Object.keys(columnsBy).map((word) => options.by.includes(word)),
  ]);
  const columns = shownColumns(options.by, columnsBy, measures);
  return {
    title: options.by.length > 0 ? `Plays by ${options.by.join(", ")}` : "Plays",
    period,
    filters: [...describeFilters(options), ...(options.top ? [`the ${options.top} largest`] : [])],
    dataAsOf,
    version: mart.version,
    columns,
    ...pickColumns(stream, columns),
    notes,
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
