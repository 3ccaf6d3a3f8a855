import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { SqlParameter } from "../engines/engine.ts";
import { readSql } from "../util/files/package-files.ts";

/**
 * Creates the empty temporary tables and macros of a load, using the shared `prepare.sql` and that of the
 * load's folder.
 */
export async function declareTables(warehouse: DuckDb, load?: "history" | "listing"): Promise<void> {
  await warehouse.run(readSql("load/shared/prepare.sql"));
  if (load) await warehouse.run(readSql(`load/${load}/prepare.sql`));
}

/** SQL variables that the scripts in `sql/load` read, with their types. */
const variableTypes = {
  kind: "varchar",
  source: "varchar",
  group_id: "bigint",
  load_id: "bigint",
  requested_at: "timestamp",
  latest_played_at: "timestamp",
  rules_version: "varchar",
  hash_key: "varchar",
  read_file: "varchar",
  skips_known: "boolean",
  slice_from: "timestamp",
  slice_to: "timestamp",
  new_records: "bigint",
  changed_records: "bigint",
  service_time_zone: "varchar",
} as const;

export async function setVariables(
  warehouse: DuckDb,
  values: Partial<Record<keyof typeof variableTypes, SqlParameter>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const type = variableTypes[name as keyof typeof variableTypes];
    await warehouse.run(`set variable ${name} = cast(? as ${type})`, [value]);
  }
}

/** Removes all rows of a temporary table by recreating it, which is faster than deleting them. */
export async function clearTable(warehouse: DuckDb, table: string): Promise<void> {
  await warehouse.run(`create or replace temp table ${table} as from temp.${table} limit 0`);
}

const columnTypes = new Map<string, ReadonlyMap<string, string>>();

/**
 * Appends rows to a temporary table. Passes them as one JSON string, which is much faster than binding each
 * row's values.
 * @param rows objects with the same columns; the table's other columns get their defaults
 */
export async function appendRows(warehouse: DuckDb, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const types = columnTypes.get(table) ?? (await describeTable(warehouse, table));
  columnTypes.set(table, types);
  const shape = JSON.stringify([
    Object.fromEntries(Object.keys(first).map((name) => [name, types.get(name)])),
  ]);
  await warehouse.run(
    `insert into temp.${table} by name
    select unnest(from_json(cast(? as varchar), '${shape}'), recursive := true)`,
    [JSON.stringify(rows)],
  );
}

async function describeTable(warehouse: DuckDb, table: string): Promise<ReadonlyMap<string, string>> {
  const columns = await warehouse.describe(`select * from temp.${table}`);
  return new Map(columns.map(({ name, type }) => [name, type]));
}
