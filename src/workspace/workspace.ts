import type { DataFolder } from "../config/data-folder.ts";
import type { Settings } from "../config/settings.ts";
import type { DuckDb } from "../engines/duckdb.ts";
import type { DataState } from "../state/data-state.ts";
import type { Clock } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { ProgressLine } from "../util/progress-line.ts";
import { openWarehouse, translateWarehouseError } from "./warehouse.ts";

/** What every recipe works with: settings, the data folder with its state, and the way out. */
export interface Workspace {
  settings: Settings;
  folder: DataFolder;
  state: DataState;
  clock: Clock;
  logger: Logger;
  progress: ProgressLine;
  signal: AbortSignal;
}

/** Opens the warehouse for `body` alone, because DuckDB shuts out all other processes meanwhile. */
export async function withWarehouse<Result>(
  { settings, folder }: Pick<Workspace, "settings" | "folder">,
  body: (warehouse: DuckDb) => Promise<Result>,
): Promise<Result> {
  const threads = settings.find("VENUE_THREADS");
  const warehouse = await openWarehouse({
    path: folder.warehouseFile,
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    tempDir: folder.temp,
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
