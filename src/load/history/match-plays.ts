import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { setVariables } from "../declare-tables.ts";

/** Counts of records that core already has (`temp.matched`). */
export interface Matches {
  matched: number;
  /** Matched records that change a play in core. */
  changed: number;
  /** Matched records in excess of the plays they match. */
  matchedTwice: number;
}

export const noMatches: Matches = { matched: 0, changed: 0, matchedTwice: 0 };

/** Matches the records that were read with core, replacing `temp.matched`. */
export async function matchPlays(warehouse: DuckDb): Promise<Matches> {
  if (!(await warehouse.find("select 1 from core.play where kind = getvariable('kind') limit 1")))
    return noMatches;
  if ((await warehouse.run(readSql("load/history/match_plays.sql"))) === 0) return noMatches;
  const count = () =>
    warehouse.get<Matches>('select matched, changed, matched_twice as "matchedTwice" from temp.match_count');
  const alike = await count();
  if (alike.changed === 0) return alike;
  await warehouse.run(readSql("load/history/compare_plays.sql"));
  return await count();
}

/** Lines tested at a time: small hash tables are fast. */
const sliceLines = 500_000;
/** Small slices pay off while they read each line at most this many times; otherwise only a few are used. */
const maxReads = 3;
const fewSlices = 4;

/** Lines between two instants, with the first and last row among them. */
export interface Slice {
  /** UTC. */
  from: string;
  /** Exclusive. */
  to: string;
  lines: number;
  first_row: number;
  last_row: number;
}

export interface Repeats {
  /** Lines that are records. */
  validLines: number;
  /** Keys shared by several records. */
  repeatedKeys: number;
}

/** Merges lines with the same key into one record. */
export async function mergeRepeats(warehouse: DuckDb, { matched, matchedTwice }: Matches): Promise<Repeats> {
  const days = await warehouse.all<Slice>(
    'select from_at as "from", to_at as "to", lines, first_row, last_row from temp.line_date order by from_at',
  );
  const validLines = sum(days, ({ lines }) => lines);
  // Each line matched a different play, so no two share a key.
  if (matched === validLines && matchedTwice === 0) return { validLines, repeatedKeys: 0 };
  let repeatedKeys = 0;
  for (const { from, to } of sliceDays(days, validLines)) {
    await setVariables(warehouse, { slice_from: from, slice_to: to });
    repeatedKeys += await warehouse.run(readSql("load/history/merge_repeats.sql"));
  }
  return { validLines, repeatedKeys };
}

/**
 * Splits dates into slices of similar line counts; into a few large ones if lines are not in time order,
 * because then each slice reads all lines. Lines with the same key have the same instant, so they are in one
 * slice.
 * @param lines total over all days
 */
export function sliceDays(days: readonly Slice[], lines: number): Slice[] {
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
