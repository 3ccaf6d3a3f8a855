import { type FillSummary, fillCore } from "../build/lake/fill-core.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { LakeDamagedError } from "../lake/errors.ts";
import { fetchLake } from "../lake/fetch-lake.ts";
import { closeLake, openLake } from "../lake/read-lake.ts";
import { assertNoLostManifests } from "../lake/stored-lake.ts";
import { ruleExpander } from "../load/rules/campaign-dates.ts";
import { openStorage } from "../storage/open-storage.ts";
import { isS3Url } from "../storage/s3-url.ts";
import type { Storage } from "../storage/storage.ts";
import { VenueError } from "../util/venue-error.ts";
import { claimForLake } from "../workspace/warehouse.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Updates `core` from a lake in a folder or a store, in place of sync, load and reference files. On an error, `core` stays
 * unchanged.
 * @throws {VenueError} `OWN_LOADS` if the warehouse contains loads of this machine
 * @throws {LakeDamagedError} or another error from reading a lake
 */
export async function fillFromLake(
  warehouse: DuckDb,
  workspace: Workspace,
  { lake, isFull }: { lake: string; isFull: boolean },
): Promise<FillSummary> {
  const { folder, signal, logger, progress } = workspace;
  progress.show(`Reading ${lake}`);
  try {
    const storage = await openStorage(lake, { signal });
    const machines = await openLake(warehouse, isS3Url(lake) ? await fetchCopy(workspace, storage) : lake);
    return await warehouse.interruptible(signal, () =>
      warehouse.transaction(async () => {
        const other = await claimForLake(warehouse, folder.warehouseFile, lake);
        const filled = await fillCore(warehouse, { rules: ruleExpander, machines, isFull, signal, logger });
        await assertNoLostManifests(storage, filled.gone);
        if (other === undefined || filled.gone.length === 0) return filled;
        // These machines were not removed from this lake, so their absence must not count as a retraction.
        await warehouse.run("delete from core.lake_gone");
        logger.warn(
          `Figures are now built from ${lake} instead of ${other}. Machines missing from it: ${filled.gone.join(", ")}.`,
        );
        return { ...filled, gone: [] };
      }),
    );
  } catch (error) {
    throw withMachineName(error);
  } finally {
    await closeLake(warehouse);
    progress.clear();
  }
}

/** Copies a lake from a store to this machine. */
async function fetchCopy(
  { folder, settings, signal, progress }: Workspace,
  storage: Storage,
): Promise<string> {
  await fetchLake(storage, folder.lakeCache, {
    limitBytes: settings.get("VENUE_LAKE_CACHE_GB") * 1e9,
    signal,
    onProgress: (path) => progress.show(`Downloading ${path}`),
  });
  return folder.lakeCache;
}

/** Adds the name of the machine whose file DuckDB can't read, taken from the file's path. */
function withMachineName(error: unknown): unknown {
  if (error instanceof VenueError || !(error instanceof Error)) return error;
  const [, machine] = /\/machine=([\w-]+)\//.exec(error.message) ?? [];
  return machine === undefined ? error : new LakeDamagedError(machine, error.message, { cause: error });
}
