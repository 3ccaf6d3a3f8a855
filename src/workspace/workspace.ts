import type { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { DataState } from "../state/data/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ProgressLine } from "../util/text/progress-line.ts";
import {
  assertNotLakeWarehouse,
  type Contents,
  openWarehouse,
  translateWarehouseError,
} from "./warehouse.ts";

/** Everything that a recipe works with: settings, the data folder with its state, and output. */
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
 * Holds the warehouse open only while `body` runs, because DuckDB locks the file against other processes.
 * Nothing is committed once another run has taken over the lock.
 * @param mayHold contents that `body` supports; by default loads, but not a lake of version 0.2
 * @throws {VenueError} `LAKE_WAREHOUSE` if it was filled from a lake and `body` does not support that
 */
export async function withWarehouse<Result>(
  { settings, folder, state }: Pick<Workspace, "settings" | "folder" | "state">,
  body: (warehouse: DuckDb) => Promise<Result>,
  mayHold: readonly Contents[] = ["loads"],
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
    if (!mayHold.includes("lake")) await assertNotLakeWarehouse(warehouse, folder.warehouseFile);
    return await body(warehouse);
  } catch (error) {
    throw translateWarehouseError(folder.warehouseFile, error);
  } finally {
    warehouse.close();
  }
}
