import { listColumns } from "../columns/report-columns.ts";
import { listReportFiles } from "../compile/fill-file.ts";
import { join, type Sql, sql, text } from "../compile/sql.ts";
import { compileRows, describeFilters, type StatementOptions } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import type { RequestContext } from "../request-context.ts";
import { streamRows } from "./stream-rows.ts";

/** Builds the quality report. Each file in `sql/reports/quality/` has one or more sections, in order. */
export async function buildQualityReport(context: RequestContext): Promise<Report> {
  const { mart, options, days, now } = context;
  const { period } = days;
  const columns = listColumns("quality");
  return {
    title: "Quality",
    ...days,
    filters: await describeFilters(mart, options),
    version: mart.version,
    columns,
    rows: streamSections(context, columns, await selectSections(mart, { ...options, period, now })),
    notes: [],
  };
}

async function* streamSections(
  context: Pick<RequestContext, "mart" | "order">,
  columns: readonly ReportColumn[],
  sections: readonly Sql[],
): AsyncIterableIterator<ReportRow> {
  // Sections have an order of their own, so sorting needs a single statement.
  const all = sections.map(
    (select) => sql`select section, subject, value, note from (\n${select}\n) as part`,
  );
  for (const select of context.order.sort ? [join(all, "\nunion all\n")] : sections)
    yield* (await streamRows(context, select, columns)).rows;
}

async function selectSections(mart: PublishedMart, inputs: StatementOptions & { now: Date }): Promise<Sql[]> {
  const unfinished = (await mart.findUnfinished?.()) ?? [];
  const undelivered = (await mart.listUndelivered?.(inputs.now)) ?? [];
  return [
    ...listReportFiles("quality").map((file) => compileRows(file, inputs)),
    ...unfinished.map(({ subject, value, note }) => createRow("unfinished", subject, value, note)),
    ...undelivered.map(({ recipient, createdAt, endedAt, problem }) =>
      createRow(
        "messages",
        recipient,
        "undelivered",
        `created ${formatSecond(createdAt)}, given up ${formatSecond(endedAt)}: ${problem}`,
      ),
    ),
  ];
}

/** Selects one row, for facts that only `state.db` has. */
function createRow(section: string, subject: string, value: string, note: string): Sql {
  return sql`select
    ${text(section)} as section,
    ${text(subject)} as subject,
    ${text(value)} as value,
    ${text(note)} as note`;
}

/** E.g. `2026-11-21T04:10:00Z`. */
function formatSecond(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, "Z");
}
