import type { SqlStream } from "../engines/duckdb.ts";
import { queryValue } from "./query-columns.ts";
import type { ReportColumn, ReportRow } from "./report.ts";

/** The columns that each word of `--by` brings. */
export type ReportColumnsBy = Readonly<Record<string, readonly ReportColumn[]>>;

/** Those of the words that were asked for, then the measures; each once. */
export function shownColumns(
  by: readonly string[],
  columnsBy: ReportColumnsBy,
  measures: readonly ReportColumn[],
): ReportColumn[] {
  const asked = by.flatMap((word) => columnsBy[word] ?? []);
  const unique = new Map([...asked, ...measures].map((column) => [column.name, column]));
  return [...unique.values()];
}

/** The values of these columns alone, in their order. */
export async function* pickColumns(
  rows: SqlStream["rows"],
  given: SqlStream["columns"],
  columns: readonly ReportColumn[],
): AsyncIterableIterator<ReportRow> {
  const positions = columns.map(({ name }) => given.findIndex((column) => column.name === name));
  for await (const row of rows) {
    yield columns.map(({ type }, index) => queryValue(row[positions[index] ?? -1] ?? null, type));
  }
}
