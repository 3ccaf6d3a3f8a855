import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/sql-file.ts";

/** So many lines are tested at a time: small hash tables are quick. */
const sliceLines = 500_000;
/** Slices are worth their while as long as they read each line no more than so often. */
const mostReads = 3;

/** Lines between two instants, and the rows between which they are. */
interface Slice {
  from: string;
  /** Exclusive. */
  to: string;
  lines: number;
  first_row: number;
  last_row: number;
}

/** Lines of one key become one record. @returns how many lines are sound, and how many keys have several of them */
export async function mergeRepeats(warehouse: DuckDb): Promise<{ soundLines: number; repeatedKeys: number }> {
  let [soundLines, repeatedKeys] = [0, 0];
  for (const { from, to, lines } of await listSlices(warehouse)) {
    soundLines += lines;
    const { repeats } = await warehouse.get<{ repeats: number }>(readSql("load/history/count_repeats.sql"), [
      from,
      to,
    ]);
    if (repeats > 0)
      repeatedKeys += await warehouse.run(readSql("load/history/find_repeats.sql"), [from, to]);
  }
  if (repeatedKeys > 0) await warehouse.run(readSql("load/history/merge_repeats.sql"));
  return { soundLines, repeatedKeys };
}

/**
 * Spans of dates with about so many lines each; a single one where lines are in no order of time, because then each
 * slice would read all lines. Lines of one key have the same instant, so they are in one slice.
 */
async function listSlices(warehouse: DuckDb): Promise<Slice[]> {
  const slices: Slice[] = [];
  for (const day of await warehouse.all<Slice>(readSql("load/history/count_by_date.sql"))) {
    const last = slices.at(-1);
    if (last && last.lines + day.lines <= sliceLines) join(last, day);
    else slices.push(day);
  }
  const sum = (count: (slice: Slice) => number) => slices.reduce((total, slice) => total + count(slice), 0);
  const [first, ...others] = slices;
  if (first && sum((slice) => slice.last_row - slice.first_row) > mostReads * sum(({ lines }) => lines)) {
    for (const other of others) join(first, other);
    return [first];
  }
  return slices;
}

/** Widens a slice by the one after it. */
function join(slice: Slice, next: Slice): void {
  slice.to = next.to;
  slice.lines += next.lines;
  slice.first_row = Math.min(slice.first_row, next.first_row);
  slice.last_row = Math.max(slice.last_row, next.last_row);
}
