import type { SqlStream } from "../../engines/engine.ts";
import type { PublishedStream, Report, ReportColumn, ReportRow } from "../report.ts";
import { queryValue } from "./query-columns.ts";

/** Of what a statement brings, these columns alone, in their order. */
export function pickColumns(
  { columns: given, rows, chunks }: PublishedStream,
  columns: readonly ReportColumn[],
): Pick<Report, "rows" | "chunks"> {
  const positions = columns.map(({ name }) => given.findIndex((column) => column.name === name));
  return {
    rows: pickValues(rows, positions, columns),
    ...(chunks && {
      chunks: {
        columns: positions.map((position) => ({ position, type: given[position]?.type ?? "" })),
        given,
        chunks,
      },
    }),
  };
}

async function* pickValues(
  rows: SqlStream["rows"],
  positions: readonly number[],
  columns: readonly ReportColumn[],
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) {
    yield columns.map(({ type }, index) => queryValue(row[positions[index] ?? -1] ?? null, type));
  }
}
