import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { judgeLines } from "./judge-lines.ts";
import type { PlacedPiece } from "./take-pieces.ts";

/** A line that was judged alone looks like any other in the next look. */
const mostLooks = 3;

/**
 * Finds which ids and names the lines in `temp.line` give, into `temp.place` and `temp.item`: rows carry them as hashes,
 * and JavaScript looks at one line of each. Where that is no record, or has ids that are written in another way than
 * usual, it judges each line of the hash.
 * @throws when rows are not in the order of their lines: nothing found by row number would be true
 */
export async function nameLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  signal?: AbortSignal,
): Promise<void> {
  const run = (step: string) => warehouse.run(readSql(`load/history/${step}.sql`));
  for (let look = 1; look <= mostLooks; look += 1) {
    await run("find_sets");
    await run("want_named");
    await judgeLines(warehouse, pieces, { isSample: true, signal });
    await run("name_sets");
    const { odd } = await warehouse.get<{ odd: number }>(readSql("load/history/count_odd.sql"));
    if (odd === 0) return;
    await run("want_odd");
    await judgeLines(warehouse, pieces, { signal });
    await run("mend_lines");
  }
  throw new Error("rows are not in the place of their lines");
}
