import { stat } from "node:fs/promises";
import type { DuckDb } from "../engines/duckdb.ts";
import { withCopy } from "./careful-copy.ts";
import type { HistoryLanding, LoadOptions } from "./history-landing.ts";
import { LandingUnreadableError } from "./landing-unreadable-error.ts";
import { findLoad, type LoadResult } from "./ledger.ts";
import { loadEmpty } from "./load-empty.ts";
import { loadReadable } from "./load-readable.ts";

export type { HistoryLanding, LoadOptions } from "./history-landing.ts";
export type { LoadResult } from "./ledger.ts";

/**
 * Loads one file of history lines into core, in one transaction, with every line accounted for.
 * @throws {LandingUnreadableError} when the file is missing or broken
 */
export async function loadHistory(
  warehouse: DuckDb,
  landing: HistoryLanding,
  options: LoadOptions,
): Promise<LoadResult> {
  const { signal } = options;
  signal?.throwIfAborted();
  const earlier = await findLoad(warehouse, landing.landingId);
  if (earlier) return earlier;
  const bytes = await sizeOf(landing.path);
  if (bytes === 0 && landing.source === "walk")
    return await loadEmpty(warehouse, { ...landing, bytes }, options);
  return await warehouse.interruptible(signal, async () => {
    const attempt = (readPath: string) => loadReadable(warehouse, { ...landing, bytes, readPath }, options);
    const result =
      (await attempt(landing.path)) ?? (await withCopy(warehouse, landing.path, signal, attempt));
    if (!result) throw new Error(`DuckDB can't read the mended copy of ${landing.path}`);
    return result;
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}
