import type { DataFolder } from "../config/data-folder.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findLoadedVersion } from "../mart/loaded-version.ts";
import { isEmptyWarehouse } from "./is-empty-warehouse.ts";
import { WarehouseLostError } from "./warehouse-lost-error.ts";

/**
 * @param warehouse `undefined` where there is no file
 * @throws {WarehouseLostError} when readers see what was loaded, and nothing is left of it
 */
export async function refuseLostWarehouse(
  warehouse: DuckDb | undefined,
  { warehouseFile, published }: Pick<DataFolder, "warehouseFile" | "published">,
): Promise<void> {
  if (warehouse && !(await isEmptyWarehouse(warehouse))) return;
  const version = findLoadedVersion(published);
  if (version === undefined) return;
  throw new WarehouseLostError(`${warehouseFile} is ${warehouse ? "empty" : "missing"}`, version);
}
