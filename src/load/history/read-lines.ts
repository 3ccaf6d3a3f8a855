import { resolve } from "node:path";
import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { escapeGlob } from "../../engines/sql-text.ts";
import type { Kind } from "../../util/kind.ts";
import { setVariables } from "../load-variables.ts";

/**
 * Lets DuckDB read a file's lines into `temp.line`, in their order.
 * @returns how many rows they are
 */
export async function readLines(warehouse: DuckDb, kind: Kind, path: string): Promise<number> {
  await setVariables(warehouse, { read_file: filePattern(path) });
  const step = kind === "music" ? "read_music" : "read_asset";
  // Only here does order matter; keeping it costs time.
  await warehouse.run("set preserve_insertion_order = true");
  const rows = await warehouse.run(readSql(`load/history/${step}.sql`));
  await warehouse.run("set preserve_insertion_order = false");
  return rows;
}

/** Lets DuckDB read a file's lines as text into `temp.sample_text`. */
export async function readSample(warehouse: DuckDb, kind: Kind, path: string): Promise<void> {
  await setVariables(warehouse, { read_file: filePattern(path) });
  await warehouse.run(readSql(`load/history/${kind === "music" ? "sample_music" : "sample_asset"}.sql`));
}

/** A path as DuckDB's readers take it. */
export function filePattern(path: string): string {
  return escapeGlob(resolve(path));
}
