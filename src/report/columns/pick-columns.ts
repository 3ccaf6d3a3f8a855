import type { DuckDbStream } from "../../engines/duckdb.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import { queryValue } from "./query-columns.ts";

/** Of what a statement brings, these columns alone, in their order. */
export function pickColumns(
  { columns: given, rows, chunks }: DuckDbStream,
  columns: readonly ReportColumn[],
): Required<Pick<Report, "rows" | "chunks">> {
  const positions = columns.map(({ name }) => given.findIndex((column) => column.name === name));
  return {
    rows: pickValues(rows, positions, columns),
    chunks: {
      columns: positions.map((position) => ({ position, type: given[position]?.type ?? "" })),
      given,
      chunks,
    },
  };
}

async function* pickValues(
  rows: DuckDbStream["rows"],
  positions: readonly number[],
  columns: readonly ReportColumn[],
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) {
    yield columns.map(({ type }, index) => queryValue(row[positions[index] ?? -1] ?? null, type));
  }
}
