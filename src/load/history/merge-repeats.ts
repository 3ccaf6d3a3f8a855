import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";

/** So many lines are tested at a time: small hash tables are quick. */
const sliceLines = 500_000;

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

/** Spans of dates with about so many lines each. Lines of one key have the same instant, so they are in one span. */
async function listSlices(warehouse: DuckDb): Promise<{ from: string; to: string; lines: number }[]> {
  const slices: { from: string; to: string; lines: number }[] = [];
  for (const day of await warehouse.all<{ from: string; to: string; lines: number }>(
    readSql("load/history/count_by_date.sql"),
  )) {
    const last = slices.at(-1);
    if (last && last.lines + day.lines <= sliceLines) {
      last.to = day.to;
      last.lines += day.lines;
    } else {
      slices.push(day);
    }
  }
  return slices;
}
