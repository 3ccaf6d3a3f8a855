import { join } from "node:path";
import type { DataFolder } from "../config/data-folder.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findManifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { VenueError } from "../util/venue-error.ts";

/**
 * @param warehouse `undefined` where there is no file
 * @throws {VenueError} `WAREHOUSE_LOST` when readers see what was loaded, and nothing is left of it
 */
export async function refuseLostWarehouse(
  warehouse: DuckDb | undefined,
  { warehouseFile, published }: Pick<DataFolder, "warehouseFile" | "published">,
): Promise<void> {
  if (warehouse && !(await isEmptyWarehouse(warehouse))) return;
  const version = findLoadedVersion(published);
  if (version === undefined) return;
  throw warehouseLostError(`${warehouseFile} is ${warehouse ? "empty" : "missing"}`, version);
}

/**
 * Readers see a version, and nothing is left of the warehouse that it was built from.
 * @param finding what is wrong, with the path
 */
function warehouseLostError(finding: string, version: string): VenueError {
  return new VenueError(
    "WAREHOUSE_LOST",
    "damage",
    `${finding}, but what was built from it is published as ${version}. Was it moved away or removed? Put it back, or ` +
      "restore a backup (`venue restore`). Without one, `venue doctor --repair` loads the landings that are kept, and " +
      "the next `venue run` or `venue build --lake` brings what can be had again.",
  );
}

/** Whether nothing was ever loaded: a build makes a lost warehouse anew, without a row. */
export async function isEmptyWarehouse(warehouse: DuckDb): Promise<boolean> {
  const { loaded } = await warehouse.get<{ loaded: number }>(
    "select (select count(*) from core.load) + (select count(*) from core.snapshot) as loaded",
  );
  return loaded === 0;
}

/** The version that readers see, if anything was loaded when it was built. */
function findLoadedVersion(publishedFolder: string): string | undefined {
  const version = findCurrentVersion(publishedFolder);
  const asOf = version === undefined ? null : findManifest(join(publishedFolder, version))?.data_as_of;
  return asOf == null ? undefined : version;
}
