import type { Report, ReportRow } from "../report.ts";

/** How many rows passed, and how many of them were below, or had no value. */
export interface Watched {
  rows: number;
  below: number;
}

/**
 * The same report, looked at while its rows pass; every format takes them as rows, as no value is seen in a chunk.
 * @param column of the report; its values are shares
 * @param onEnd told once all rows have passed
 */
export function watchThreshold(
  { chunks: _chunks, ...report }: Report,
  column: string,
  failUnder: number,
  onEnd: (watched: Watched) => void,
): Report {
  const position = report.columns.findIndex(({ name }) => name === column);
  async function* rows(): AsyncIterableIterator<ReportRow> {
    const watched = { rows: 0, below: 0 };
    for await (const row of report.rows) {
      const value = row[position] ?? null;
      watched.rows += 1;
      if (value === null || Number(value) < failUnder) watched.below += 1;
      yield row;
    }
    onEnd(watched);
  }
  return { ...report, rows: rows() };
}
