import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";

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
  if (!(await warehouse.find(readSql("load/history/find_play.sql")))) return noMatches;
  if ((await warehouse.run(readSql("load/history/match_plays.sql"))) === 0) return noMatches;
  const count = () => warehouse.get<Matches>(readSql("load/history/count_matches.sql"));
  const alike = await count();
  if (alike.changed === 0) return alike;
  await warehouse.run(readSql("load/history/compare_plays.sql"));
  return await count();
}
