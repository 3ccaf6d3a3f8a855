import { join } from "node:path";
import type { DataFolder } from "../config/data-folder.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findManifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { VenueError } from "../util/venue-error.ts";

/**
 * Throws if data is published, but the warehouse from which it was built is lost.
 * @param warehouse `undefined` if its file is missing
 * @throws {VenueError} `WAREHOUSE_LOST` if the published version contains data, but the warehouse has none
 */
export async function assertWarehouseNotLost(
  warehouse: DuckDb | undefined,
  { warehouseFile, published }: Pick<DataFolder, "warehouseFile" | "published">,
): Promise<void> {
  if (warehouse && !(await isEmptyWarehouse(warehouse))) return;
  const version = findLoadedVersion(published);
  if (version === undefined) return;
  throw warehouseLostError(`${warehouseFile} is ${warehouse ? "empty" : "missing"}`, version);
}

/**
 * The warehouse of the published version is lost.
 * @param finding the problem, including the path
 */
function warehouseLostError(finding: string, version: string): VenueError {
  return new VenueError(
    "WAREHOUSE_LOST",
    "damage",
    `${finding}, but ${version}, which was built from it, is published. Was it moved away or removed? Put it back, or ` +
      "restore a backup (`venue restore`). Without a backup, `venue doctor --repair` loads the kept landings, and " +
      "the next `venue run` recovers what the service still has.",
  );
}

/** Returns true if nothing was ever loaded, as in a warehouse that a build recreated after a loss. */
export async function isEmptyWarehouse(warehouse: DuckDb): Promise<boolean> {
  const { loaded } = await warehouse.get<{ loaded: number }>(
    "select (select count(*) from core.load) + (select count(*) from core.snapshot) as loaded",
  );
  return loaded === 0;
}

/** Returns the published version, unless it was built before any data was loaded. */
function findLoadedVersion(publishedFolder: string): string | undefined {
  const version = findCurrentVersion(publishedFolder);
  const asOf = version === undefined ? null : findManifest(join(publishedFolder, version))?.data_as_of;
  return asOf == null ? undefined : version;
}
