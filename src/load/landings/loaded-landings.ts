import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { LandingSource } from "../../state/data/landings.ts";
import { readSql } from "../../util/files/package-files.ts";

/** A landing in the warehouse's ledger. */
export interface LedgerEntry {
  landingId: string;
  source: LandingSource["source"];
  kind: string;
  groupId: number | null;
  zoneId: number | null;
  /** Instant of the load, in milliseconds since the epoch. */
  loadedMs: number;
  /** True if a later complete landing of the same source is among those requested. */
  isSuperseded: boolean;
}

/** Finds the ledger entries of the landings that this warehouse has loaded. */
export async function findLoaded(warehouse: DuckDb, landingIds: readonly string[]): Promise<LedgerEntry[]> {
  return await warehouse.all<LedgerEntry & Record<string, string | number | boolean | null>>(
    readSql("sync/loaded_landings.sql"),
    [JSON.stringify(landingIds)],
  );
}
