import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { escapeGlob, sqlName, sqlText } from "../engines/sql-text.ts";
import { FolderStorage } from "../storage/folder-storage.ts";
import { lakeTooOldError } from "./errors.ts";
import { type LakeColumn, listLakeTables, readColumn, readType } from "./layout.ts";
import type { LakeTable, MachineManifest } from "./machine.ts";
import { readStoredLake } from "./stored-lake.ts";

/**
 * Makes the tables of a lake in a folder readable as `lake.play` and so on. Creates one view per table over the current
 * files of all machines, with an additional column `machine`. Instants are timestamps without a time zone, in
 * UTC. Trino reads them the same way from the same files. The views are in a separate in-memory database, so
 * nothing is written to the open one. Do not call this in a transaction.
 * @returns the manifests of the files read
 * @throws {VenueError} `LAKE_TOO_OLD` if no machine has published a table that models read
 * @throws as `readStoredLake` does
 */
export async function openLake(database: DuckDb, lake: string): Promise<MachineManifest[]> {
  const machines = await readStoredLake(new FolderStorage(lake));
  await database.run("attach ':memory:' as lake");
  for (const table of listLakeTables()) {
    await database.run(`create view lake.${sqlName(table)} as ${selectOf(lake, table, machines)}`);
  }
  return machines;
}

/** Reverts `openLake`, even if it failed halfway. Do not call this in a transaction. */
export async function closeLake(database: DuckDb): Promise<void> {
  await database.run("detach database if exists lake");
}

function selectOf(lake: string, table: string, machines: readonly MachineManifest[]): string {
  const parts = machines.flatMap(({ name, tables }) => {
    const published = tables[table];
    return published ? [{ machine: name, ...published }] : [];
  });
  const columns = mergeColumns(lake, table, machines);
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
 * Returns all columns that a table has on any machine, because newer versions may have additional columns.
 * @param lake path of the lake, for error messages
 * @throws {VenueError} `LAKE_TOO_OLD` if no machine has published the table
 */
export function mergeColumns(
  lake: string,
  table: string,
  machines: readonly MachineManifest[],
): LakeColumn[] {
  const columns = new Map<string, LakeColumn>();
  for (const column of machines.flatMap(({ tables }) => tables[table]?.columns ?? [])) {
    if (!columns.has(column.name)) columns.set(column.name, column);
  }
  if (columns.size === 0) throw lakeTooOldError(lake, table);
  return [...columns.values()];
}
