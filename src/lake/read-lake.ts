import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlName, sqlText } from "../engines/sql-text.ts";
import { FolderStorage } from "../storage/folder-storage.ts";
import { type LakeColumn, listLakeTables, readColumn, readType, toLakeColumns } from "./layout.ts";
import type { LakeTable, MachineManifest } from "./machine.ts";
import { readStoredLake } from "./stored-lake.ts";

/**
 * Makes the tables of a lake in a folder readable as `lake.play` and so on. Creates one view per table over the current
 * files of all machines, with an additional column `machine`. Instants are timestamps without a time zone, in
 * UTC. Trino reads them the same way from the same files. The views are in a separate in-memory database, so
 * nothing is written to the open one. Do not call this in a transaction.
 * @param database a warehouse, whose `core` has the tables and columns that machines of older versions lack
 * @returns the manifests of the files read
 * @throws as `readStoredLake` does
 */
export async function openLake(database: DuckDb, lake: string): Promise<MachineManifest[]> {
  const machines = await readStoredLake(new FolderStorage(lake));
  const known = await listCoreColumns(database);
  await database.run("attach ':memory:' as lake");
  for (const table of listLakeTables()) {
    const columns = mergeColumns(table, machines, known);
    await database.run(
      `create view lake.${sqlName(table)} as ${selectOf(lake, { table, columns }, machines)}`,
    );
  }
  return machines;
}

/** Reverts `openLake`, even if it failed halfway. Do not call this in a transaction. */
export async function closeLake(database: DuckDb): Promise<void> {
  await database.run("detach database if exists lake");
}

function selectOf(
  lake: string,
  { table, columns }: { table: string; columns: readonly LakeColumn[] },
  machines: readonly MachineManifest[],
): string {
  const parts = machines.flatMap(({ name, tables }) => {
    const published = tables[table];
    return published ? [{ machine: name, ...published }] : [];
  });
  const filled = parts.filter(({ files }) => files.length > 0);
  if (filled.length === 0) return selectNothing(columns);
  return filled.map((part) => selectPart(lake, part, columns)).join(" union all ");
}

function selectPart(
  lake: string,
  { machine, columns: own, files }: LakeTable & { machine: string },
  columns: readonly LakeColumn[],
): string {
  const list = columns.map((column) => {
    const written = own.find(({ name }) => name === column.name);
    return `${written ? readColumn(written) : `cast(null as ${readType(column)})`} as ${sqlName(column.name)}`;
  });
  const paths = files.map(({ path }) => sqlText(escapeGlob(join(lake, path)))).join(", ");
  return `select ${list.join(", ")}, ${sqlText(machine)} as machine
    from read_parquet([${paths}], hive_partitioning = false)`;
}

function selectNothing(columns: readonly LakeColumn[]): string {
  const list = columns.map((column) => `cast(null as ${readType(column)}) as ${sqlName(column.name)}`);
  return `select ${list.join(", ")}, cast(null as varchar) as machine where false`;
}

/**
 * Returns all columns that a table has on any machine or in this version, because either may be newer.
 * @param known this version's columns, from `listCoreColumns`
 */
export function mergeColumns(
  table: string,
  machines: readonly MachineManifest[],
  known: CoreColumns,
): LakeColumn[] {
  const published = machines.flatMap(({ tables }) => tables[table]?.columns ?? []);
  const columns = new Map<string, LakeColumn>();
  for (const column of [...published, ...(known.get(table) ?? [])])
    if (!columns.has(column.name)) columns.set(column.name, column);
  return [...columns.values()];
}

/** Columns of the tables of `core`, as a lake stores them, keyed by table. */
export type CoreColumns = ReadonlyMap<string, readonly LakeColumn[]>;

/** @param warehouse any warehouse of this version */
export async function listCoreColumns(warehouse: DuckDb): Promise<CoreColumns> {
  const rows = await warehouse.all<{ table: string; name: string; type: string }>(
    `select table_name as "table", column_name as name, data_type as type from duckdb_columns()
    where database_name = current_database() and schema_name = 'core' order by table_name, column_index`,
  );
  return new Map(
    listLakeTables().map((table) => [
      table,
      toLakeColumns(
        table,
        rows.filter((row) => row.table === table),
      ),
    ]),
  );
}
