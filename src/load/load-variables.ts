import type { DuckDb, SqlParameter } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";

/** What `sql/load` finds in variables, with their types. */
const variableTypes = {
  landing_file: "varchar",
  kind: "varchar",
  source: "varchar",
  group_id: "bigint",
  load_id: "bigint",
  requested_at: "timestamp",
  latest_played_at: "timestamp",
  first_row: "bigint",
  kept_from: "varchar",
  kept_to: "varchar",
  slice_from: "timestamp",
  slice_to: "timestamp",
  parts: "varchar",
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

/** Temporary tables of loads: those of this one, or what is left of one before. */
export async function dropLoadTables(warehouse: DuckDb): Promise<void> {
  await warehouse.run(readSql("load/drop_tables.sql"));
  await warehouse.run(readSql("load/declare/shared.sql"));
}
