import { appendFile } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { lineEnd } from "../lines/line-cursor.ts";
import { classifyLines, readWantedLines } from "./classify-lines.ts";
import type { LandingLines } from "./landing-lines.ts";
import { readSample } from "./read-lines.ts";

export interface NameOptions {
  /** Path for a temporary file. */
  path: string;
  signal?: AbortSignal | undefined;
}

/**
 * Corrects `temp.line` with the lines classified in JavaScript, then fills `temp.place` and `temp.item` with the ids
 * and names of its rows. Rows contain only hashes of ids and names, so one line per hash is read again. If an id or
 * UTC offset in that line has an unusual form, all lines with the hash are classified in JavaScript.
 * @throws if rows are not in line order, because every lookup by row number would then be wrong
 */
export async function nameLines(
  warehouse: DuckDb,
  lines: LandingLines,
  { path, signal }: NameOptions,
): Promise<void> {
  const run = (step: string) => warehouse.run(readSql(`load/history/${step}.sql`));
  await run("correct_lines");
  // Lines classified in JavaScript already have names. They are not sampled, because DuckDB may be unable to
  // read them.
  if ((await run("name_sets")) === 0) return;
  await copyWantedLines(warehouse, lines, { path, signal });
  await readSample(warehouse, path);
  if ((await run("name_sets")) === 0) return;
  await run("select_unnamed");
  await classifyLines(warehouse, lines, signal);
  await run("correct_lines");
  if ((await run("name_sets")) > 0) throw new Error("rows are not in the place of their lines");
}

async function copyWantedLines(
  warehouse: DuckDb,
  lines: LandingLines,
  { path, signal }: NameOptions,
): Promise<void> {
  let found: Buffer[] = [];
  await readWantedLines(warehouse, lines, {
    signal,
    onLine: ({ bytes }) => {
      found.push(Buffer.concat([bytes, lineEnd]));
    },
    onPage: async () => {
      await appendFile(path, Buffer.concat(found));
      found = [];
    },
  });
}
