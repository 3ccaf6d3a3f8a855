import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { SqlParameter } from "../engines/engine.ts";
import { readSql } from "../util/files/package-files.ts";

/** Declares the temporary tables and macros that a load's steps meet in, empty: `sql/load/declare`. */
export async function declareTables(
  warehouse: DuckDb,
  load: "history" | "listing" | "reference" | "rule",
): Promise<void> {
  await warehouse.run(readSql("load/declare/shared.sql"));
  await warehouse.run(readSql(`load/declare/${load}.sql`));
}

/** What `sql/load` finds in variables, with their types. */
const variableTypes = {
  kind: "varchar",
  source: "varchar",
  group_id: "bigint",
  load_id: "bigint",
  requested_at: "timestamp",
  latest_played_at: "timestamp",
  read_by: "varchar",
  hash_key: "varchar",
  read_file: "varchar",
  reading: "integer",
  rows_before: "bigint",
  service_time_zone: "varchar",
} as const;

/** Sets variables for the statements in `sql/load`. */
export async function setVariables(
  warehouse: DuckDb,
  values: Partial<Record<keyof typeof variableTypes, SqlParameter>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const type = variableTypes[name as keyof typeof variableTypes];
    await warehouse.run(`set variable ${name} = cast(? as ${type})`, [value]);
  }
}
