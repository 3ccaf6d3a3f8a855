import { recordOf } from "../columns/record-of.ts";
import { type EqualNames, tellApart } from "../findings/equal-names.ts";
import { parseReportOptions, type ReportWords } from "../options/parse-report-options.ts";
import type { AskedReport } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow, ReportValue } from "../report.ts";
import { runReport } from "../run-report.ts";

/** All rows of a report. */
export interface Table {
  asked: AskedReport;
  report: Omit<Report, "rows">;
  rows: readonly ReportRow[];
}

export async function readTable(
  mart: PublishedMart,
  words: ReportWords,
  now: Date,
  options: Pick<AskedReport, "forSentences"> = {},
): Promise<Table> {
  const asked = { ...parseReportOptions(words), ...options };
  const { rows, ...report } = await runReport(mart, asked, now);
  const read: ReportRow[] = [];
  for await (const row of rows) read.push(row);
  return { asked, report, rows: read };
}

export function recordsOf({ report, rows }: Table): Record<string, ReportValue>[] {
  return rows.map((row) => recordOf(report.columns, row));
}

/**
 * A table's rows by what stands in one column.
 * @param same columns that then say the same in each row: they are left out
 */
export function splitBy(
  { asked, report, rows }: Table,
  column: string,
  { same, names }: { same: readonly string[]; names: EqualNames },
): ReadonlyMap<string, Table> {
  const key = report.columns.findIndex(({ name }) => name === column);
  const kept = report.columns.flatMap(({ name }, position) => (same.includes(name) ? [] : [position]));
  const pick = <T>(values: readonly T[]): T[] => kept.map((position) => values[position] as T);
  const parts = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const value = String(row[key]);
    const part = parts.get(value) ?? [];
    part.push(pick(row));
    parts.set(value, part);
  }
  const columns = tellApart(pick(report.columns), names);
  return new Map(
    Array.from(parts, ([value, part]) => [value, { asked, report: { ...report, columns }, rows: part }]),
  );
}
