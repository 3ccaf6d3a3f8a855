import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { setVariables } from "../declare-tables.ts";

/** Counts of records that core already has (`temp.matched`). */
interface Matches {
  matched: number;
  /** Matched records that change a play in core. */
  changed: number;
  /** Number of records whose play has another line in the landing that was not read. */
  shown: number;
  /** Number of matched records in excess of one per matched play. */
  matchedTwice: number;
}

const noMatches: Matches = { matched: 0, changed: 0, shown: 0, matchedTwice: 0 };

/** Merges repeated lines, and matches all records with core (`temp.matched`). */
export async function matchRecords(warehouse: DuckDb): Promise<Matches & Repeats> {
  const matches = await matchPlays(warehouse);
  const repeats = await mergeRepeats(warehouse, matches);
  return { ...(repeats.repeatedKeys > 0 ? await matchPlays(warehouse) : matches), ...repeats };
}

/** Compares the records with the plays in core, and replaces `temp.matched`. */
async function matchPlays(warehouse: DuckDb): Promise<Matches> {
  if (!(await warehouse.find("select 1 from core.play where kind = getvariable('kind') limit 1")))
    return noMatches;
  if ((await warehouse.run(readSql("load/history/match_plays.sql"))) === 0) return noMatches;
  const count = () =>
    warehouse.get<Matches>(
      'select matched, changed, shown, matched_twice as "matchedTwice" from temp.match_count',
    );
  const alike = await count();
  if (alike.changed === 0) return alike;
  await warehouse.run(readSql("load/history/compare_plays.sql"));
  return await count();
}

/** Number of lines to merge at a time. Small hash tables are faster. */
const sliceLines = 500_000;
/** Maximum number of times that small slices may read each line. Above it, large slices are used. */
const maxReads = 3;
const fewSlices = 4;

/** The lines whose plays start between two instants, with the numbers of their first and last row. */
interface Slice {
  /** Start of the slice, in UTC. */
  from: string;
  /** End of the slice, exclusive. */
  to: string;
  lines: number;
  first_row: number;
  last_row: number;
}

interface Repeats {
  /** Number of lines that are records. */
  validLines: number;
  /** Number of keys that several records share. */
  repeatedKeys: number;
}

/** Merges lines with the same key into one record. */
async function mergeRepeats(warehouse: DuckDb, { matched, shown, matchedTwice }: Matches): Promise<Repeats> {
  const days = await warehouse.all<Slice>(
    'select from_at as "from", to_at as "to", lines, first_row, last_row from temp.line_date order by from_at',
  );
  const validLines = sum(days, ({ lines }) => lines);
  // Each line matched a different play, so no two lines share a key.
  if (matched === validLines && matchedTwice === 0 && shown === 0) return { validLines, repeatedKeys: 0 };
  let repeatedKeys = 0;
  for (const { from, to } of sliceDays(days, validLines)) {
    await setVariables(warehouse, { slice_from: from, slice_to: to });
    repeatedKeys += await warehouse.run(readSql("load/history/merge_repeats.sql"));
  }
  return { validLines, repeatedKeys };
}

/**
 * Splits dates into slices with similar numbers of lines. Uses a few large slices if lines are not in time
 * order, because each slice then reads nearly all lines. Lines with the same key have the same instant, so
 * they are always in the same slice.
 * @param lines total number of lines on all days
 */
function sliceDays(days: readonly Slice[], lines: number): Slice[] {
  const slices = mergeDays(days, sliceLines);
  const reads = sum(slices, (slice) => slice.last_row - slice.first_row);
  return reads <= maxReads * lines ? slices : mergeDays(days, Math.max(sliceLines, lines / fewSlices));
}

function mergeDays(days: readonly Slice[], maxLines: number): Slice[] {
  const slices: Slice[] = [];
  for (const day of days) {
    const last = slices.at(-1);
    if (last && last.lines + day.lines <= maxLines) {
      last.to = day.to;
      last.lines += day.lines;
      last.first_row = Math.min(last.first_row, day.first_row);
      last.last_row = Math.max(last.last_row, day.last_row);
    } else slices.push({ ...day });
  }
  return slices;
}

function sum(slices: readonly Slice[], count: (slice: Slice) => number): number {
  return slices.reduce((total, slice) => total + count(slice), 0);
}
