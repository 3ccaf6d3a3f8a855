import { appendFile } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { lineEnd } from "../lines/line-cursor.ts";
import { judgeLines } from "./judge-lines.ts";
import type { PlacedPiece } from "./pieces/take-pieces.ts";
import { readSample } from "./read-lines.ts";
import { readWantedLines } from "./wanted-lines.ts";

export interface NameOptions {
  /** Of a file that is made for the time being. */
  path: string;
  signal?: AbortSignal | undefined;
}

/**
 * Finds which ids and names the lines in `temp.line` give, into `temp.place` and `temp.item`: rows carry them as hashes,
 * and one line of each hash is read once more. Where it has an id or a UTC offset that is written in an unusual way,
 * JavaScript judges each line of the hash.
 * @throws when rows are not in the order of their lines: nothing found by row number would be true
 */
export async function nameLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  { path, signal }: NameOptions,
): Promise<void> {
  const run = (step: string) => warehouse.run(readSql(`load/history/${step}.sql`));
  const countOdd = async () =>
    (await warehouse.get<{ odd: number }>("select count(*) as odd from temp.unnamed_set")).odd;
  await run("find_sets");
  // Before lines are sampled: JavaScript judged some, whose sets it names. DuckDB may not be able to read these lines.
  await run("name_sets");
  if ((await run("want_unnamed")) > 0) {
    await copyWantedLines(warehouse, pieces, { path, signal });
    await readSample(warehouse, path);
    await run("name_sets");
  }
  if ((await countOdd()) === 0) return;
  await run("want_odd");
  await judgeLines(warehouse, pieces, signal);
  await run("mend_lines");
  await run("find_sets");
  await run("name_sets");
  if ((await countOdd()) > 0) throw new Error("rows are not in the place of their lines");
}

async function copyWantedLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  { path, signal }: NameOptions,
): Promise<void> {
  let lines: Buffer[] = [];
  await readWantedLines(warehouse, pieces, {
    signal,
    onLine: ({ bytes }) => {
      lines.push(Buffer.concat([bytes, lineEnd]));
    },
    onPage: async () => {
      await appendFile(path, Buffer.concat(lines));
      lines = [];
    },
  });
}
