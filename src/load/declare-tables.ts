import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { readSql } from "../util/files/package-files.ts";

/** Declares the temporary tables and macros that a load's steps meet in, empty: `sql/load/declare`. */
export async function declareTables(
  warehouse: DuckDb,
  load: "history" | "listing" | "reference" | "rule",
): Promise<void> {
  await warehouse.run(readSql("load/declare/shared.sql"));
  await warehouse.run(readSql(`load/declare/${load}.sql`));
}
