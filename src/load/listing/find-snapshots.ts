import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";

/** A row of the ledger of snapshots. */
interface Snapshot {
  snapshotId: number;
  /** Records that were stored. */
  records: number;
  /** Records without an id or that repeat another one's, and lines that are no JSON object. */
  rejected: number;
}

export interface ListingResult extends Snapshot {
  /** The landing was loaded before: these are the counts of then, and nothing was done. */
  isRepeat: boolean;
}

/** Of the landings, those that were loaded, by their ids. */
export async function findSnapshots(
  warehouse: DuckDb,
  landings: readonly { landingId: string }[],
): Promise<Map<string, Snapshot>> {
  const ids = JSON.stringify(landings.map(({ landingId }) => landingId));
  return byLanding(await warehouse.all(readSql("load/listing/find_snapshots.sql"), [ids]));
}

/** Enters the listings that were read into the ledger. @returns their rows, by the ids of their landings */
export async function enterSnapshots(warehouse: DuckDb): Promise<Map<string, Snapshot>> {
  return byLanding(await warehouse.all(readSql("load/listing/enter_snapshots.sql")));
}

function byLanding(rows: readonly (Snapshot & { landingId: string })[]): Map<string, Snapshot> {
  return new Map(rows.map(({ landingId, ...snapshot }) => [landingId, snapshot]));
}
