import type { Report, ReportColumn, ReportRow } from "../report.ts";
import { requireWord } from "./report-option-error.ts";

/**
 * The same report with some of its columns alone, in the order that was asked for.
 * @param words names of columns, several with commas between
 * @throws {ReportOptionError} where it has no such column
 */
export function chooseColumns(report: Report, words: readonly string[]): Report {
  const { columns, rows, chunks } = report;
  const known = columns.map(({ name }) => name);
  const asked = words.flatMap((word) => word.split(",")).map((word) => word.trim());
  const positions = [...new Set(asked)].map((name) => known.indexOf(requireWord("--columns", name, known)));
  return {
    ...report,
    columns: positions.flatMap((position) => withoutMark(columns[position])),
    isOrdered: true,
    rows: pickValues(rows, positions),
    ...(chunks && {
      chunks: { ...chunks, columns: positions.flatMap((position) => chunks.columns[position] ?? []) },
    }),
  };
}

/** It reads whole rows. */
function withoutMark(column: ReportColumn | undefined): ReportColumn[] {
  if (column === undefined) return [];
  const { mark: _mark, ...others } = column;
  return [others];
}

async function* pickValues(
  rows: Report["rows"],
  positions: readonly number[],
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) yield positions.map((position) => row[position] ?? null);
}
