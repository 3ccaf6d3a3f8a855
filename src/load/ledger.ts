import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import type { Kind } from "../util/kind.ts";

/** What became of a landing's lines: they are `newPlays + changed + unchanged + duplicate + rejected + blank`. */
export interface LoadCounts {
  lines: number;
  /** Records that core did not have. */
  newPlays: number;
  /** Records that core had otherwise. */
  changed: number;
  /** Records that core had just so. */
  unchanged: number;
  /** Lines that repeat another one of the same landing. */
  duplicate: number;
  rejected: number;
  blank: number;
  /** Records of zero seconds: among the others, but no plays. */
  zeroSecond: number;
  /** Records that core has and a complete export should have, but lacks. */
  vanished: number;
}

/** A row of the ledger. */
export interface LoadResult extends LoadCounts {
  loadId: number;
  landingId: string;
  source: "export" | "walk" | "file";
  kind: Kind;
  groupId: number | null;
  zoneId: number | null;
  bytes: number;
  /** The landing was loaded before: these are the counts of that load, and nothing was done. */
  isRepeat: boolean;
}

export async function findLoad(warehouse: DuckDb, landingId: string): Promise<LoadResult | undefined> {
  return (await findLoads(warehouse, [landingId]))[0];
}

/** Of the landings, those that were loaded before, in any order. */
export async function findLoads(warehouse: DuckDb, landingIds: readonly string[]): Promise<LoadResult[]> {
  const rows = await warehouse.all<LoadResult>(readSql("load/find_loads.sql"), [JSON.stringify(landingIds)]);
  return rows.map((row) => ({ ...row, isRepeat: true }));
}

/** A load's number: takes the next one. */
export async function takeLoadId(warehouse: DuckDb): Promise<number> {
  const { loadId } = await warehouse.get<{ loadId: number }>(`select nextval('core.load_id') as "loadId"`);
  return loadId;
}

/** Enters a load whose variables are set. @throws when not every line is accounted for: a bug, so nothing is kept */
export async function enterLoad(
  warehouse: DuckDb,
  landing: { landingId: string; zoneId?: number; bytes: number; isComplete: boolean },
  counts: LoadCounts,
  loadedAt: Date,
): Promise<LoadResult> {
  const { lines, newPlays, changed, unchanged, duplicate, rejected, blank, zeroSecond, vanished } = counts;
  checkCounts(counts);
  await warehouse.run(readSql("load/insert_load.sql"), [
    landing.landingId,
    landing.zoneId ?? null,
    sqlTimestamp(loadedAt),
    landing.isComplete,
    landing.bytes,
    lines,
    newPlays,
    changed,
    unchanged,
    duplicate,
    rejected,
    blank,
    zeroSecond,
    vanished,
  ]);
  const [row] = await findLoads(warehouse, [landing.landingId]);
  if (!row) throw new Error(`the load of ${landing.landingId} was not entered`);
  return { ...row, isRepeat: false };
}

/** @throws when not every line is accounted for: a bug, so nothing is kept */
export function checkCounts(counts: LoadCounts): void {
  const { lines, newPlays, changed, unchanged, duplicate, rejected, blank } = counts;
  if (lines !== newPlays + changed + unchanged + duplicate + rejected + blank) {
    throw new Error(`not every line is accounted for: ${JSON.stringify(counts)}`);
  }
}
