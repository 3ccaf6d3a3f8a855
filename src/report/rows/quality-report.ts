import { listReportFiles } from "../../mart/report-header.ts";
import { listColumns } from "../columns/report-columns.ts";
import { buildStatement, describeFilters, type StatementOptions } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow } from "../report.ts";
import type { RequestContext } from "../request-context.ts";

/** Builds the quality report. Each file in `sql/reports/quality/` has one or more sections, in order. */
export async function buildQualityReport({ mart, options, days, now }: RequestContext): Promise<Report> {
  const { period } = days;
  return {
    title: "Quality",
    ...days,
    filters: await describeFilters(mart, options),
    version: mart.version,
    columns: listColumns("quality/10_published"),
    rows: streamSections(mart, { ...options, period, now }),
    notes: [],
  };
}

async function* streamSections(
  mart: PublishedMart,
  inputs: StatementOptions & { now: Date },
): AsyncIterableIterator<ReportRow> {
  const unfinished = (await mart.findUnfinished?.()) ?? [];
  const undelivered = (await mart.listUndelivered?.(inputs.now)) ?? [];
  const statements = [
    ...listReportFiles()
      .filter((name) => name.startsWith("quality/"))
      .map((file) => buildStatement(file, inputs)),
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
  // Sections have an order of their own, so sorting needs a single statement.
  for (const statement of inputs.sort ? [buildUnion(statements)] : statements) {
    const { rows } = await mart.stream(...statement);
    yield* rows as AsyncIterable<ReportRow>;
  }
}

type Statement = ReturnType<typeof buildStatement>;

/** Returns a SQL statement that yields one row, for facts that only `state.db` has. */
function createRow(...values: [section: string, subject: string, value: string, note: string]): Statement {
  return [
    `select
    cast(? as varchar) as section,
    cast(? as varchar) as subject,
    cast(? as varchar) as value,
    cast(? as varchar) as note`,
    values,
  ];
}

/** E.g. `2026-11-21T04:10:00Z`. */
function formatSecond(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, "Z");
}

function buildUnion(statements: readonly Statement[]): Statement {
  const selects = statements.map(([sql]) => `select section, subject, value, note from (\n${sql}\n) as part`);
  return [selects.join("\nunion all\n"), statements.flatMap(([, values]) => values)];
}
