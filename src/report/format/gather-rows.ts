import type { Report, ReportRow } from "../result-types.ts";

interface GatheredRows {
  rows: ReportRow[];
  rowCount: number;
}

/**
 * Returns at most `maxRows` rows. They are sorted by the compared change or else by the ratio, lowest first. Rows over
 * time, rows that the user sorted, and rows with neither keep their order. Unless `countsAll` is set, counting may stop
 * at `maxRows` + 1 rows.
 */
export async function gatherWorst(
  {
    columns,
    ratio,
    isSorted = false,
    rows,
  }: Pick<Report, "columns" | "ratio" | "isSorted"> & {
    rows: Report["rows"] | readonly ReportRow[];
  },
  maxRows: number,
  { countsAll }: { countsAll: boolean },
): Promise<GatheredRows> {
  const change = columns.find(
    ({ compared }) => compared?.is === "change" && (ratio ?? compared.of) === compared.of,
  );
  const position = columns.findIndex(({ name }) => name === (change?.name ?? ratio));
  // Days are read in order; compared weeks start with the largest decreases.
  const isOverTime = columns.some(
    ({ name }) => name === "date" || (!change && ["week", "month", "quarter"].includes(name)),
  );
  const isRanked = position >= 0 && !isOverTime && !isSorted;
  let kept: ReportRow[] = [];
  let rowCount = 0;
  for await (const row of rows) {
    rowCount += 1;
    if (isRanked || rowCount <= maxRows) kept.push(row);
    else if (!countsAll) break;
    if (kept.length >= 2 * maxRows) kept = sortWorstFirst(kept, position).slice(0, maxRows);
  }
  return { rows: isRanked ? sortWorstFirst(kept, position).slice(0, maxRows) : kept, rowCount };
}

/** Sorts rows without a ratio last, and keeps the order of equal rows. */
function sortWorstFirst(rows: readonly ReportRow[], position: number): ReportRow[] {
  const ratioOf = (row: ReportRow) =>
    row[position] == null ? Number.POSITIVE_INFINITY : Number(row[position]);
  return rows.toSorted((a, b) => {
    const [left, right] = [ratioOf(a), ratioOf(b)];
    return left === right ? 0 : left - right;
  });
}

/** Each write costs a system call, so small pieces are joined to about this many characters. */
const gatheredLength = 64 * 1024;

export async function* gatherPieces(
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncIterableIterator<string | Uint8Array> {
  let gathered = "";
  for await (const piece of pieces) {
    if (typeof piece === "string") gathered += piece;
    if (gathered.length >= gatheredLength || (typeof piece !== "string" && gathered !== "")) {
      yield gathered;
      gathered = "";
    }
    if (typeof piece !== "string") yield piece;
  }
  if (gathered !== "") yield gathered;
}
