import { stat } from "node:fs/promises";
import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { withCopy } from "./careful-copy.ts";
import type { HistoryLanding, LoadOptions, ReadableLanding } from "./history-landing.ts";
import { LandingUnreadableError } from "./landing-unreadable-error.ts";
import { enterLoad, findLoad, type LoadResult } from "./ledger.ts";
import type { LinesTaken } from "./lines-taken.ts";
import { loadReadable } from "./load-readable.ts";
import { loadWalks } from "./load-walks.ts";
import { isWalk } from "./walk-part.ts";

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
  if (bytes === 0 && isWalk(landing)) {
    const [entered] = (await loadWalks(warehouse, [landing], options)) ?? [];
    if (entered) return entered;
  }
  return await warehouse.interruptible(signal, async () => {
    const attempt = (readPath: string) => {
      const readable = { ...landing, bytes, readPath };
      return loadReadable(warehouse, readable, options, (taken, loadedAt) =>
        enterTaken(warehouse, readable, taken, loadedAt),
      );
    };
    const result =
      (await attempt(landing.path)) ?? (await withCopy(warehouse, landing.path, signal, attempt));
    if (!result) throw new Error(`DuckDB can't read the mended copy of ${landing.path}`);
    return result;
  });
}

async function enterTaken(
  warehouse: DuckDb,
  landing: ReadableLanding,
  { isNewToCore, ...taken }: LinesTaken,
  loadedAt: Date,
): Promise<LoadResult> {
  const counts = {
    ...taken,
    zeroSecond: await countZeroSecond(warehouse),
    vanished: isNewToCore ? 0 : await countVanished(warehouse, landing),
  };
  return await enterLoad(warehouse, landing, counts, loadedAt);
}

async function countZeroSecond(warehouse: DuckDb): Promise<number> {
  return (await warehouse.get<{ zeroSecond: number }>(readSql("load/count_zero_second.sql"))).zeroSecond;
}

async function countVanished(warehouse: DuckDb, { source, isComplete }: ReadableLanding): Promise<number> {
  if (source !== "export" || !isComplete) return 0;
  const { missing } = await warehouse.get<{ missing: number }>(readSql("load/count_missing.sql"));
  if (missing === 0) return 0;
  return (await warehouse.get<{ vanished: number }>(readSql("load/count_vanished.sql"))).vanished;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}
