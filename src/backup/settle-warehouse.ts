import { existsSync } from "node:fs";
import { DuckDb } from "../engines/duckdb/duckdb.ts";
import { refuseLostWarehouse } from "../workspace/refuse-lost-warehouse.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { BackupFolderError } from "./backup-folder-error.ts";

/**
 * Puts all of the warehouse into its one file.
 * @returns how many plays it holds; 0 where there is no warehouse yet
 * @throws {WarehouseLostError} when nothing is left of it: a backup without it would pass for one
 */
export async function settleWarehouse(workspace: Workspace): Promise<number> {
  const { folder } = workspace;
  if (!existsSync(folder.warehouseFile)) {
    await refuseLostWarehouse(undefined, folder);
    return 0;
  }
  return await withWarehouse(
    workspace,
    async (warehouse) => {
      await refuseLostWarehouse(warehouse, folder);
      await warehouse.run("checkpoint");
      return await countPlays(warehouse);
    },
    ["loads", "lake"],
  );
}

/** A copy that can't be opened, or lacks something, is no backup. @throws {BackupFolderError} */
export async function assertHolds(copy: string, plays: number): Promise<void> {
  if (!existsSync(copy)) return;
  const warehouse = await DuckDb.open({ path: copy, readOnly: true });
  try {
    if ((await countPlays(warehouse)) === plays) return;
  } finally {
    warehouse.close();
  }
  throw new BackupFolderError(
    "Another program wrote to the warehouse while it was copied. End that program, and run this again.",
  );
}

async function countPlays(warehouse: DuckDb): Promise<number> {
  const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
  return plays;
}
