import { listReportFiles } from "../compile/fill-file.ts";
import { join, type Sql, sql, text } from "../compile/sql.ts";
import { compileRows, type StatementOptions } from "../options/build-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { RequestContext } from "../request-context.ts";
import type { ReportColumn, ReportRow } from "../result-types.ts";
import { streamRows } from "./stream-rows.ts";

/** Streams the rows of the quality report: the sections of each file in `sql/reports/quality/`, in order. */
export async function* streamSections(
  { mart, order, options, days, now }: RequestContext,
  columns: readonly ReportColumn[],
): AsyncIterableIterator<ReportRow> {
  const sections = await selectSections(mart, { ...options, period: days.period, now });
  // Sections are separate statements, so sorting combines them into one.
  const all = sections.map(
    (select) => sql`select section, subject, value, note from (\n${select}\n) as part`,
  );
  for (const select of order.sort ? [join(all, "\nunion all\n")] : sections)
    yield* (await streamRows({ mart, order }, select, columns)).rows;
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

/** Selects one row, for data that is only in `state.db`. */
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
