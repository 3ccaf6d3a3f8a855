import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { declareTables, setVariables } from "../declare-tables.ts";
import type { LandingUnreadableError } from "../errors.ts";
import { expandRules } from "../rules/campaign-dates.ts";
import { refreshZoneDays } from "../zone-days.ts";
import { type ListingLanding, listTurns, type ReadListings, readListings } from "./read-listings.ts";

interface ListingOptions {
  loadedAt: Date;
  /** IANA name of the time zone for service date-times that have no UTC offset. */
  serviceTimeZone: string;
  signal?: AbortSignal | undefined;
}

/** If the records of a load exceed this many characters, the temporary tables are emptied after it to free memory. */
const maxLeftCharacters = 1024 * 1024;

/** Name of the script in `sql/load/listing` that reads each source's records. */
const readSources = {
  devices: "devices",
  assets: "assets",
  campaigns: "campaigns",
  notices: "status",
  components: "status",
} as const;

/**
 * Loads listings into core in one transaction, with the same result as loading them one by one. Listings contain the
 * devices, campaigns and assets of groups and zones, or the notices and components of the status API. They may arrive
 * late and in any order.
 * @returns one result per landing, in order; a missing or broken file does not affect the others
 */
export async function loadListings(
  warehouse: DuckDb,
  landings: readonly ListingLanding[],
  options: ListingOptions,
): Promise<(ListingResult | LandingUnreadableError)[]> {
  return await warehouse.interruptible(options.signal, () =>
    warehouse.transaction(async () => {
      const results: (ListingResult | LandingUnreadableError)[] = [];
      for (const turn of listTurns(landings)) results.push(...(await loadTurn(warehouse, turn, options)));
      return results;
    }),
  );
}

/** @param landings at most one listing per source, kind and owner */
async function loadTurn(
  warehouse: DuckDb,
  landings: readonly ListingLanding[],
  { loadedAt, serviceTimeZone, signal }: ListingOptions,
): Promise<(ListingResult | LandingUnreadableError)[]> {
  await declareTables(warehouse, "listing");
  await setVariables(warehouse, { service_time_zone: serviceTimeZone });
  const earlier = await findSnapshots(warehouse, landings);
  const open = landings.filter(({ landingId }) => !earlier.has(landingId));
  const found = await readListings(warehouse, open, { loadedAt, signal });
  const entered = found.read.length > 0 ? await storeListings(warehouse, found, signal) : noSnapshots;
  if (found.characters > maxLeftCharacters) await declareTables(warehouse, "listing");
  return landings.map(({ landingId }) => {
    const result = earlier.get(landingId) ?? entered.get(landingId);
    const outcome = result
      ? { ...result, isRepeat: earlier.has(landingId) }
      : found.unreadable.get(landingId);
    if (!outcome) throw new Error(`the listing ${landingId} was not entered`);
    return outcome;
  });
}

/** Stores the listings whose records are in `listing_record`. @returns their ledger rows, by landing id */
async function storeListings(
  warehouse: DuckDb,
  { read }: ReadListings,
  signal: AbortSignal | undefined,
): Promise<Snapshots> {
  const run = async (script: string) => {
    signal?.throwIfAborted();
    await warehouse.run(readSql(`load/${script}.sql`));
  };
  for (const script of new Set(read.map(({ source }) => readSources[source]))) await run(`listing/${script}`);
  const entered = groupByLanding(await warehouse.all(readSql("load/listing/account.sql")));
  await run("shared/store_findings");
  await refreshZoneDays(warehouse);
  if (read.some(({ source }) => source === "campaigns")) {
    await run("listing/store_campaigns");
    // Runs last because it empties the temporary tables shared by all loads.
    await expandRules(warehouse);
  }
  return entered;
}

interface Snapshot {
  snapshotId: number;
  records: number;
  /** Number of records without an id or with a repeated id, and of lines that are not a JSON object. */
  rejected: number;
}

export interface ListingResult extends Snapshot {
  /**
   * True if the landing was loaded before. The counts are then those of the earlier load, and nothing was
   * changed.
   */
  isRepeat: boolean;
}

type Snapshots = ReadonlyMap<string, Snapshot>;

const noSnapshots: Snapshots = new Map();

async function findSnapshots(
  warehouse: DuckDb,
  landings: readonly { landingId: string }[],
): Promise<Snapshots> {
  const ids = JSON.stringify(landings.map(({ landingId }) => landingId));
  return groupByLanding(
    await warehouse.all(
      `select landing_id as "landingId", snapshot_id as "snapshotId", records, rejected
      from core.snapshot where landing_id in (select unnest(from_json(cast(? as varchar), '["varchar"]')))`,
      [ids],
    ),
  );
}

function groupByLanding(rows: readonly (Snapshot & { landingId: string })[]): Snapshots {
  return new Map(rows.map(({ landingId, ...snapshot }) => [landingId, snapshot]));
}
