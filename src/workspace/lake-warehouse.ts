import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { shellText } from "../util/text/escaping.ts";
import { VenueError } from "../util/venue-error.ts";

/**
 * What a warehouse holds: what was loaded into it, or what machines of a lake loaded. Never both: what is filled from a
 * lake replaces all that was there, and what was loaded beside it would be in no machine's part of the lake.
 */
export type Contents = "loads" | "lake";

/** @throws {LakeWarehouseError} when it was filled from a lake */
export async function refuseLakeWarehouse(warehouse: DuckDb, file: string): Promise<void> {
  const lake = await warehouse.find<{ path: string }>("select path from core.lake");
  if (lake) throw new LakeWarehouseError(file, lake.path);
}

/**
 * Makes it a lake's. To be called in the transaction that fills it.
 * @returns the lake that it was filled from until now, where that is another one
 * @throws {OwnLoadsError} when it holds loads
 */
export async function claimForLake(
  warehouse: DuckDb,
  file: string,
  lake: string,
): Promise<string | undefined> {
  const before = await warehouse.find<{ path: string }>("select path from core.lake");
  const ownLoad = await warehouse.find(
    "select 1 from core.load union all select 1 from core.snapshot limit 1",
  );
  if (!before && ownLoad) throw new OwnLoadsError(file, lake);
  await warehouse.run("delete from core.lake");
  await warehouse.run("insert into core.lake (path) values (?)", [lake]);
  return before?.path === lake ? undefined : before?.path;
}

/** The warehouse was filled from a lake: it takes no loads, and is no machine's part of a lake. */
class LakeWarehouseError extends VenueError {
  override readonly name = "LakeWarehouseError";
  readonly code = "LAKE_WAREHOUSE";
  readonly category = "usage";

  constructor(file: string, lake: string) {
    super(
      `${file} holds what the machines of the lake ${lake} collected. To build it again: \`venue build --lake ${shellText(lake)}\`. ` +
        "To collect, load or build on this machine beside that, use another data folder (VENUE_DATA_DIR).",
    );
  }
}

/** The warehouse holds what this machine loaded, which a lake's would replace. */
class OwnLoadsError extends VenueError {
  override readonly name = "OwnLoadsError";
  readonly code = "OWN_LOADS";
  readonly category = "usage";

  constructor(file: string, lake: string) {
    super(
      `${file} holds what this machine collected; a build from ${lake} would replace it. Use another data folder ` +
        "(VENUE_DATA_DIR) for builds from the lake. What this machine collected gets there by `venue publish --layer core`.",
    );
  }
}
