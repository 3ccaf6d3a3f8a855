import { resolve } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/sql-file.ts";
import type { Kind } from "../../util/kind.ts";
import { setVariables } from "../load-variables.ts";

/**
 * Lets DuckDB read a file's lines into `temp.line`, in their order.
 * @returns how many rows they are
 */
export async function readLines(warehouse: DuckDb, kind: Kind, path: string): Promise<number> {
  // Only here does order matter; keeping it costs time.
  await warehouse.run("set preserve_insertion_order = true");
  const rows = await runReader(warehouse, "read", kind, path);
  await warehouse.run("set preserve_insertion_order = false");
  return rows;
}

/** Lets DuckDB read a file's lines as text into `temp.sample_text`. */
export async function readSample(warehouse: DuckDb, kind: Kind, path: string): Promise<void> {
  await runReader(warehouse, "sample", kind, path);
}

/** A path as DuckDB's readers take it. */
export function filePattern(path: string): string {
  return escapeGlob(resolve(path));
}

/** Lines of songs have other fields than those of assets. @returns the number of rows */
async function runReader(
  warehouse: DuckDb,
  step: "read" | "sample",
  kind: Kind,
  path: string,
): Promise<number> {
  await setVariables(warehouse, { read_file: filePattern(path) });
  const file = kind === "music" ? `${step}_music` : `${step}_asset`;
  return await warehouse.run(readSql(`load/history/${file}.sql`));
}
