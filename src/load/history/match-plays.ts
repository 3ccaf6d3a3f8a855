import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { setVariables } from "../declare-tables.ts";

/** What was found of the records that core has, too (`temp.matched`). */
export interface Matches {
  matched: number;
  /** Of them, those of which core has to say something else. */
  changed: number;
  /** How many more they are than the plays that they are of. */
  matchedTwice: number;
}

export const noMatches: Matches = { matched: 0, changed: 0, matchedTwice: 0 };

/** Compares the records that were read with core, into `temp.matched`, written anew. */
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

/** So many lines are tested at a time: small hash tables are quick. */
const sliceLines = 500_000;
/** Slices are worth their while as long as they read each line no more than so often; else there are about so few. */
const mostReads = 3;
const fewSlices = 4;

/** Lines between two instants, and the first and the last row that holds one of them. */
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
  soundLines: number;
  /** Keys that several of them have. */
  repeatedKeys: number;
}

/** Lines of one key become one record. */
export async function mergeRepeats(warehouse: DuckDb, { matched, matchedTwice }: Matches): Promise<Repeats> {
  const days = await warehouse.all<Slice>(
    'select from_at as "from", to_at as "to", lines, first_row, last_row from temp.line_date order by from_at',
  );
  const soundLines = sum(days, ({ lines }) => lines);
  // Each line found a play of its own, so no two have one key.
  if (matched === soundLines && matchedTwice === 0) return { soundLines, repeatedKeys: 0 };
  let repeatedKeys = 0;
  for (const { from, to } of sliceDays(days, soundLines)) {
    await setVariables(warehouse, { slice_from: from, slice_to: to });
    repeatedKeys += await warehouse.run(readSql("load/history/merge_repeats.sql"));
  }
  return { soundLines, repeatedKeys };
}

/**
 * Spans of dates with about so many lines each; a few large ones where lines are in no order of time, because then each
 * slice reads all lines. Lines of one key have the same instant, so they are in one slice.
 * @param lines of all days
 */
export function sliceDays(days: readonly Slice[], lines: number): Slice[] {
  const slices = joinDays(days, sliceLines);
  const reads = sum(slices, (slice) => slice.last_row - slice.first_row);
  return reads <= mostReads * lines ? slices : joinDays(days, Math.max(sliceLines, lines / fewSlices));
}

function joinDays(days: readonly Slice[], mostLines: number): Slice[] {
  const slices: Slice[] = [];
  for (const day of days) {
    const last = slices.at(-1);
    if (last && last.lines + day.lines <= mostLines) {
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
