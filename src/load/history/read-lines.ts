import { resolve } from "node:path";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { escapeGlob } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/package-files.ts";
import { setVariables } from "../declare-tables.ts";

/** Reads a file's lines into `temp.line`, in order. @returns the number of rows */
export async function readLines(warehouse: DuckDb, path: string): Promise<number> {
  // Row order is preserved only here, because no other step needs it and it costs time.
  await warehouse.run("set preserve_insertion_order = true");
  const rows = await runReader(warehouse, readSql("load/history/read_lines.sql"), path);
  await warehouse.run("set preserve_insertion_order = false");
  return rows;
}

/** Reads a file's lines as strings into `temp.sample_text`. */
export async function readSample(warehouse: DuckDb, path: string): Promise<void> {
  await runReader(warehouse, "insert into temp.sample_text by name from temp.line_text", path);
}

/** Escapes a path for DuckDB's readers. */
export function toFilePattern(path: string): string {
  return escapeGlob(resolve(path));
}

async function runReader(warehouse: DuckDb, sql: string, path: string): Promise<number> {
  await setVariables(warehouse, { read_file: toFilePattern(path) });
  return await warehouse.run(sql);
}
