import { appendFile } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { lineEnd } from "../lines/line-cursor.ts";
import { judgeLines, readWantedLines } from "./judge-lines.ts";
import type { PlacedPiece } from "./pieces/take-pieces.ts";
import { readSample } from "./read-lines.ts";

export interface NameOptions {
  /** Of a file that is made for the time being. */
  path: string;
  signal?: AbortSignal | undefined;
}

/**
 * Corrects `temp.line` by what JavaScript judged, then fills `temp.place` and `temp.item` with the ids and names of its
 * rows: these hold hashes, and one line of each hash is read again. If it writes an id or a UTC offset in an unusual way,
 * JavaScript judges all lines of the hash.
 * @throws when rows are not in the order of their lines: nothing found by row number would be true
 */
export async function nameLines(
  warehouse: DuckDb,
  pieces: readonly PlacedPiece[],
  { path, signal }: NameOptions,
): Promise<void> {
  const run = (step: string) => warehouse.run(readSql(`load/history/${step}.sql`));
  await run("correct_lines");
  // Lines that JavaScript judged name their sets, and are not sampled: DuckDB may not be able to read them.
  if ((await run("name_sets")) === 0) return;
  await copyWantedLines(warehouse, pieces, { path, signal });
  await readSample(warehouse, path);
  if ((await run("name_sets")) === 0) return;
  await run("select_unnamed");
  await judgeLines(warehouse, pieces, signal);
  await run("correct_lines");
  if ((await run("name_sets")) > 0) throw new Error("rows are not in the place of their lines");
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
