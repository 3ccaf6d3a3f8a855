import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import { enterEmptyWalks, enterWalks } from "./enter-walks.ts";
import type { LoadOptions } from "./history-landing.ts";
import { LandingUnreadableError } from "./landing-unreadable-error.ts";
import { findLoads, type LoadResult } from "./ledger.ts";
import { loadReadable } from "./load-readable.ts";
import { withScratchFolder } from "./scratch-folder.ts";
import { joinWalks, NotTogether, type WalkLanding } from "./walk-part.ts";

/**
 * Loads walks of one kind, each of another zone, in one transaction: a load is the same few dozen statements however
 * few lines it has. The ledger, rejects and plays are as if each walk had been loaded alone.
 *
 * @returns `undefined`, with nothing done, where they have to be loaded one by one: a file is missing or unusual, or
 * tells of another zone
 */
export async function loadWalks(
  warehouse: DuckDb,
  landings: readonly WalkLanding[],
  options: LoadOptions,
): Promise<LoadResult[] | undefined> {
  const { signal } = options;
  signal?.throwIfAborted();
  const ids = landings.map(({ landingId }) => landingId);
  const earlier = await findLoads(warehouse, ids);
  const open = landings.filter(({ landingId }) => earlier.every((load) => load.landingId !== landingId));
  try {
    const loads = await warehouse.interruptible(signal, () => loadTogether(warehouse, open, options));
    return loads && [...earlier, ...loads];
  } catch (error) {
    if (error instanceof LandingUnreadableError || error instanceof NotTogether) return undefined;
    throw error;
  }
}

async function loadTogether(
  warehouse: DuckDb,
  landings: readonly WalkLanding[],
  options: LoadOptions,
): Promise<LoadResult[] | undefined> {
  const [first] = landings;
  if (!first) return [];
  return await withScratchFolder(warehouse, "walks-", async (folder) => {
    const path = join(folder, "walks.jsonl");
    const parts = await joinWalks(landings, path);
    if (parts.every(({ lines }) => lines === 0))
      return await warehouse.transaction(() => enterEmptyWalks(warehouse, parts, options.loadedAt));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    // A line may be as late as the last request lets it.
    const requestedAt = new Date(Math.max(...landings.map((landing) => landing.requestedAt.getTime())));
    const joined = { ...first, path, readPath: path, bytes, requestedAt };
    return await loadReadable(warehouse, joined, options, (taken, loadedAt) =>
      enterWalks(warehouse, parts, taken, loadedAt),
    );
  });
}
