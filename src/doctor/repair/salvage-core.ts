import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import type { DuckDb, DuckDbOptions } from "../../engines/duckdb/duckdb.ts";
import { sqlText } from "../../engines/sql-text.ts";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";
import { findLastStep, findWarehouse, openWarehouse } from "../../workspace/warehouse.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Copies `core` of a warehouse whose mart can't be read into a new file, which takes its place. Its schema is that of the old
 * one: whoever opens it next brings it up to date, with its rows.
 * @param aside new name of the old file
 */
export async function salvageCore({ folder, settings }: Workspace, aside: string): Promise<void> {
  const path = folder.warehouseFile;
  const salvaged = `${path}.unfinished`;
  for (const left of [salvaged, `${salvaged}.wal`]) rmSync(left, { force: true });
  const options = { memoryLimit: settings.get("VENUE_MEMORY_LIMIT"), tempDir: folder.temp };
  const lastStep = await findStepOf({ ...options, path });
  const warehouse = await openWarehouse({ ...options, path: salvaged, lastStep });
  try {
    await warehouse.run(`attach ${sqlText(path)} as damaged (read_only)`);
    await copyCore(warehouse);
    await warehouse.run("checkpoint");
  } finally {
    warehouse.close();
  }
  syncToDisk(salvaged);
  linkSync(path, aside);
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${aside}.wal`);
  renameDurably(salvaged, path);
}

async function findStepOf(options: DuckDbOptions & { path: string }): Promise<string | undefined> {
  const damaged = await findWarehouse(options);
  try {
    return damaged && (await findLastStep(damaged, options.path));
  } finally {
    damaged?.close();
  }
}

async function copyCore(warehouse: DuckDb): Promise<void> {
  const tables = await warehouse.all<{ name: string }>(
    "select table_name as name from duckdb_tables() where database_name = 'damaged' and schema_name = 'core'",
  );
  const sequences = await warehouse.all<{ name: string; last: number | null }>(
    `select sequence_name as name, last_value as last from duckdb_sequences()
    where database_name = 'damaged' and schema_name = 'core'`,
  );
  await warehouse.transaction(async () => {
    for (const { name } of tables) {
      await warehouse.run(`delete from core.${name}`);
      await warehouse.run(`insert into core.${name} by name select * from damaged.core.${name}`);
    }
    // A number that was given out is not given out again.
    for (const { name, last } of sequences)
      if (last !== null)
        await warehouse.all(`select max(nextval('core.${name}')) as last from range(${last})`);
  });
}

/** Has the next build make every model anew. @returns whether the warehouse is filled from a lake */
export async function forgetMart(warehouse: DuckDb): Promise<boolean> {
  await warehouse.run("delete from core.built_model");
  return (await warehouse.find("select path from core.lake")) !== undefined;
}
