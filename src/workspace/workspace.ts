import type { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { DataState } from "../state/data/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ProgressLine } from "../util/text/progress-line.ts";
import { openWarehouse, translateWarehouseError } from "./warehouse.ts";

/** Everything that a recipe needs: settings, the data folder with its state, and output. */
export interface Workspace {
  settings: Settings;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ProgressLine;
  signal: AbortSignal;
}

/**
 * Opens the warehouse only while `body` runs, because DuckDB locks the file against other processes. Nothing is
 * committed after another run has taken over the lock.
 */
export async function withWarehouse<Result>(
  { settings, folder, state }: Pick<Workspace, "settings" | "folder" | "state">,
  body: (warehouse: DuckDb) => Promise<Result>,
): Promise<Result> {
  const threads = settings.find("VENUE_THREADS");
  const warehouse = await openWarehouse({
    path: folder.warehouseFile,
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: folder.temp,
    beforeCommit: () => state.runs.assertLock(),
    ...(threads === undefined ? {} : { threads }),
  });
  try {
    return await body(warehouse);
  } catch (error) {
    throw translateWarehouseError(folder.warehouseFile, error);
  } finally {
    warehouse.close();
  }
}
