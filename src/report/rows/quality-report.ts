import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SqlParameter } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { packageRoot } from "../../util/package-root.ts";
import { reportColumns } from "../columns/report-columns.ts";
import {
  describeFilters,
  listParameter,
  noteUnknownIds,
  placeParameters,
} from "../options/report-filters.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { getReportedPeriod } from "../options/reported-period.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow } from "../report.ts";

const folder = "reports/quality";

/** How far the figures can be trusted. Each file in `sql/reports/quality/` is one or more sections, in their order. */
export async function buildQualityReport(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Report> {
  const period = await getReportedPeriod(mart, options, now);
  const parameters = [
    now.toISOString().slice(0, 19).replace("T", " "),
    period.from,
    period.to,
    ...placeParameters(options),
    listParameter(options.kinds),
  ];
  return {
    title: "Quality",
    period,
    filters: describeFilters(options),
    dataAsOf: mart.dataAsOf,
    version: mart.version,
    columns: reportColumns("quality/10_published"),
    rows: eachSection(mart, parameters),
    notes: await noteUnknownIds(mart, options),
  };
}

async function* eachSection(
  mart: PublishedMart,
  parameters: readonly SqlParameter[],
): AsyncIterableIterator<ReportRow> {
  const files = readdirSync(join(packageRoot, "sql", folder)).filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) {
    const { rows } = await mart.stream(readSql(`${folder}/${file}`), parameters);
    yield* rows as AsyncIterable<ReportRow>;
  }
  const unfinished = (await mart.findUnfinished?.()) ?? [];
  for (const { subject, value, note } of unfinished) yield ["unfinished", subject, value, note];
}
