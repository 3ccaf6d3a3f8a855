import { randomBytes } from "node:crypto";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { Kind } from "../../util/kind.ts";
import { appendRows, declareTables, setVariables } from "../declare-tables.ts";
import { findNewestLanding, type OpenLanding } from "./open-landing.ts";
import { toFilePattern } from "./read-lines.ts";

/**
 * A row of the ledger. `lines` is the sum of `newPlays`, `changed`, `unchanged`, `duplicate`, `rejected` and
 * `blank`.
 */
export interface LoadResult {
  loadId: number;
  landingId: string;
  source: "export" | "walk" | "file";
  kind: Kind;
  groupId: number | null;
  zoneId: number | null;
  bytes: number;
  lines: number;
  /** Number of records that were not yet in core. */
  newPlays: number;
  /** Number of records that were in core with different values. */
  changed: number;
  /** Number of records that were in core with the same values. */
  unchanged: number;
  /** Number of lines that repeat another line of the landing. */
  duplicate: number;
  rejected: number;
  blank: number;
  /** Number of records with a duration of zero. They are included in the counts above, but are not plays. */
  zeroSecond: number;
  /** Number of plays in core that are missing from a complete export. */
  vanished: number;
  /**
   * True if the landing was loaded before. The counts are then those of the earlier load, and nothing was
   * changed.
   */
  isRepeat: boolean;
}

/** Finds the ledger rows of landings, in load order. */
export async function findLoads(
  warehouse: DuckDb,
  landings: readonly { landingId: string }[],
): Promise<Omit<LoadResult, "isRepeat">[]> {
  const ids = JSON.stringify(landings.map(({ landingId }) => landingId));
  return await warehouse.all(readSql("load/history/find_loads.sql"), [ids]);
}

/**
 * Accounts for every line and enters the landings into the ledger.
 * @param vanished number of plays in core that are missing from a complete export
 * @throws if a line is not accounted for, which is a bug; the transaction is then rolled back
 */
export async function enterLoads(
  warehouse: DuckDb,
  landings: readonly OpenLanding[],
  vanished: number,
): Promise<LoadResult[]> {
  await warehouse.run(readSql("load/history/account.sql"), [vanished]);
  const loads = await findLoads(warehouse, landings);
  if (loads.length !== landings.length) throw new Error("not every load was entered");
  for (const load of loads) checkCounts(load);
  return loads.map((load) => ({ ...load, isRepeat: false }));
}

function checkCounts(load: Omit<LoadResult, "isRepeat">): void {
  const { lines, newPlays, changed, unchanged, duplicate, rejected, blank } = load;
  if (lines !== newPlays + changed + unchanged + duplicate + rejected + blank) {
    throw new Error(`not every line is accounted for: ${JSON.stringify(load)}`);
  }
}

/**
 * Version of the rules that decide which lines are records. Lines read with another version are read again.
 */
const rulesVersion = "2";

/**
 * Declares the tables and variables shared by the steps of a load, and stores its landings in them.
 * @param landings one landing, or several walks of one kind
 */
export async function declareLoad(
  warehouse: DuckDb,
  landings: readonly [OpenLanding, ...OpenLanding[]],
  loadedAt: Date,
): Promise<void> {
  const [first] = landings;
  // `read_file` is set first, because DuckDB opens a view's file when the view is created.
  await setVariables(warehouse, { read_file: toFilePattern(first.path) });
  await declareTables(warehouse, "history");
  const rows = landings.map((landing) => ({
    load_id: landing.loadId,
    landing_id: landing.landingId,
    zone_id: landing.zoneId ?? null,
    requested_at: sqlTimestamp(landing.requestedAt),
    latest_played_at: sqlTimestamp(landing.latestPlayedAt),
    loaded_at: sqlTimestamp(loadedAt),
    is_complete: landing.isComplete,
    bytes: landing.bytes,
  }));
  await appendRows(warehouse, "landing", rows);
  const last = findNewestLanding(landings);
  await setVariables(warehouse, {
    kind: first.kind,
    source: first.source,
    group_id: first.groupId ?? null,
    load_id: first.loadId,
    requested_at: sqlTimestamp(last.requestedAt),
    latest_played_at: sqlTimestamp(last.latestPlayedAt),
    rules_version: rulesVersion,
    skips_known: false,
    hash_key: randomBytes(16).toString("hex"),
  });
}
