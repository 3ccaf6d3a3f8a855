import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb, DuckDbOptions } from "../../engines/duckdb/duckdb.ts";
import { sqlText } from "../../engines/sql-text.ts";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion } from "../../mart/published-versions.ts";
import { hasMartTable } from "../../publish/find-losses.ts";
import { settleKilledPublish } from "../../publish/settle-killed-publish.ts";
import { listIntactFiles, readFiles } from "../../publish/version-files.ts";
import { hasPublished } from "../../publish/versions/previous-version.ts";
import { renameDurably, syncToDisk } from "../../util/files/durable-files.ts";
import { findLastStep, findWarehouse, openWarehouse } from "../../workspace/warehouse.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const cells = "fact_campaign_zone_day";

/**
 * Copies the `core` schema of a warehouse whose mart is unreadable into a new file, and replaces the old file
 * with it. The new file keeps the old schema version, so that opening it next time migrates its rows as
 * usual.
 * @param aside new path of the old file
 */
export async function salvageCore({ folder, settings, state }: Workspace, aside: string): Promise<void> {
  const path = folder.warehouseFile;
  const salvaged = `${path}.unfinished`;
  for (const left of [salvaged, `${salvaged}.wal`]) rmSync(left, { force: true });
  const options = { memoryLimit: settings.get("VENUE_MEMORY_LIMIT"), tempDir: folder.temp };
  const lastStep = await findSchemaStep({ ...options, path });
  const warehouse = await openWarehouse({ ...options, path: salvaged, lastStep });
  try {
    await warehouse.run(`attach ${sqlText(path)} as damaged (read_only)`);
    await copyCore(warehouse);
    await warehouse.run("checkpoint");
  } finally {
    warehouse.close();
  }
  syncToDisk(salvaged);
  state.runs.assertLock();
  linkSync(path, aside);
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${aside}.wal`);
  renameDurably(salvaged, path);
}

async function findSchemaStep(options: DuckDbOptions & { path: string }): Promise<string | undefined> {
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
    // Advances each sequence, so that numbers already used are never issued again.
    for (const { name, last } of sequences)
      if (last !== null)
        await warehouse.all(`select max(nextval('core.${name}')) as last from range(${last})`);
  });
}

/**
 * Makes the next build rebuild every model. If the table of compliance cells is lost, the published cells
 * become the baseline for restatements.
 */
export async function invalidateMart(warehouse: DuckDb, publishedFolder: string): Promise<void> {
  await settleKilledPublish(publishedFolder, warehouse);
  await warehouse.transaction(async () => {
    await warehouse.run("delete from core.built_model");
    if (!(await hasMartTable(warehouse, cells))) await recallPublishedCells(warehouse, publishedFolder);
  });
}

async function recallPublishedCells(warehouse: DuckDb, publishedFolder: string): Promise<void> {
  const current = findCurrentVersion(publishedFolder);
  const folder = current && join(publishedFolder, current);
  const manifest = folder ? findManifest(folder) : undefined;
  if (!folder || !manifest || !(await hasPublished(warehouse, manifest))) return;
  const files = await listIntactFiles({ folder, manifest }, cells);
  if (files.length === 0) return;
  // Keeps the cells of unpublished days, because they were saved when these days became unpublished.
  await warehouse.run(
    `delete from core.published_cell as c where not exists (
      select 1 from core.unpublished_campaign_day as u where u.kind = c.kind and u.date = c.date
    )`,
  );
  await warehouse.run(
    `insert into core.published_cell
    select c.campaign_key, c.kind, c.zone_id, c.date, c.state
    from ${readFiles(files)} as c
    anti join core.unpublished_campaign_day as u on u.kind = c.kind and u.date = c.date`,
  );
}
