import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { readSql } from "../../util/files/package-files.ts";
import { declareTables, setVariables } from "../declare-tables.ts";
import type { LandingUnreadableError } from "../errors.ts";
import { expandRules } from "../rules/campaign-dates.ts";
import { renewZoneDays } from "../zone-days.ts";
import { type ListingLanding, listTurns, type ReadListings, readListings } from "./read-listings.ts";

interface ListingOptions {
  loadedAt: Date;
  /** IANA name: of the service's date-times that carry no offset. */
  serviceTimeZone: string;
  signal?: AbortSignal | undefined;
}

/** Records with more characters than this are not left in temporary tables: what is loaded next needs the memory. */
const mostLeftCharacters = 1024 * 1024;

/** A file under `sql/load`, or what else is to be done; not where there is nothing for it to do. */
type Step = readonly [step: string | ((warehouse: DuckDb) => Promise<void>), isDone: boolean];

/**
 * What listings go through once their records are read, at most one listing of each owner at a time. A statement costs
 * a millisecond or more however little there is to do.
 */
function listSteps({ read, hasUnknownFields }: ReadListings): Step[] {
  const of = (...sources: ListingLanding["source"][]) => read.some(({ source }) => sources.includes(source));
  const campaignListings = read.filter(({ source }) => source === "campaigns").length;
  const showsZones = of("devices") || read.some((landing) => "zoneId" in landing);
  return [
    ["shared/store_unknown_fields", hasUnknownFields],

    ["listing/store_devices", of("devices")],
    ["listing/renew_max_gaps", of("devices")],
    ["listing/store_locations", of("devices")],
    ["shared/note_sightings", of("devices")],
    ["listing/store_assets", of("assets")],
    ["listing/store_linked_assets", of("campaigns")],
    ["listing/store_notices", of("notices")],
    ["listing/store_components", of("components")],
    ["listing/collect_locations", of("devices")],
    ["listing/collect_names", of("assets", "campaigns")],
    ["shared/merge_names", of("devices", "assets", "campaigns")],

    ["listing/find_new_zones", showsZones],
    [touchServiceZones, of("devices")],
    ["listing/store_service_time_zone", of("devices")],
    [renewZoneDays, read.length > 0],

    [(warehouse) => storeCampaigns(warehouse, campaignListings), of("campaigns")],
    // Last: what it shares with other loads is declared anew, empty.
    [expandRules, of("campaigns")],
  ];
}

/** Where the service's time zone is another than before, zones without any other clock have other days. */
async function touchServiceZones(warehouse: DuckDb): Promise<void> {
  // To find these zones takes a look at all plays.
  if (!(await warehouse.find(readSql("load/listing/find_time_zone_change.sql")))) return;
  await warehouse.run(readSql("load/listing/touch_service_zones.sql"));
}

/** From when until when owners say what of campaigns. Most listings say what the ones before them said. */
async function storeCampaigns(warehouse: DuckDb, listings: number): Promise<void> {
  const run = (step: string) => warehouse.run(readSql(`load/listing/${step}.sql`));
  const repeated = await run("find_repeated");
  if (repeated > 0) await run("widen_repeated");
  if (repeated < listings) {
    await run("store_runs");
    await run("renew_spans");
    await run("find_changed_spans");
    await run("store_spans");
  }
  await run("mark_dirty_campaign_days");
}

/**
 * Loads listings into core, together and in one transaction, as if each had been loaded alone, in this order: devices,
 * campaigns and assets of groups and zones, notices and components of the status API. They may come late and in any
 * order. One that says what its owner's last one said costs little more than its row in the ledger.
 * @returns what became of each, in their order; a file that is missing or broken leaves the others alone
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

/** @param landings at most one listing of each owner */
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
  for (const source of new Set(found.read.map((landing) => landing.source))) {
    await warehouse.run(readSql(`load/listing/read_${source}.sql`));
  }
  const entered = await enterSnapshots(warehouse);
  for (const [step, isDone] of listSteps(found)) {
    signal?.throwIfAborted();
    if (!isDone) continue;
    if (typeof step === "string") await warehouse.run(readSql(`load/${step}.sql`));
    else await step(warehouse);
  }
  if (found.characters > mostLeftCharacters) await declareTables(warehouse, "listing");
  return landings.map(({ landingId }) => {
    const result = earlier.get(landingId) ?? entered.get(landingId);
    const outcome = result
      ? { ...result, isRepeat: earlier.has(landingId) }
      : found.unreadable.get(landingId);
    if (!outcome) throw new Error(`the listing ${landingId} was not entered`);
    return outcome;
  });
}

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
async function findSnapshots(
  warehouse: DuckDb,
  landings: readonly { landingId: string }[],
): Promise<Map<string, Snapshot>> {
  const ids = JSON.stringify(landings.map(({ landingId }) => landingId));
  return byLanding(await warehouse.all(readSql("load/listing/find_snapshots.sql"), [ids]));
}

/** Enters the listings that were read into the ledger. @returns their rows, by the ids of their landings */
async function enterSnapshots(warehouse: DuckDb): Promise<Map<string, Snapshot>> {
  return byLanding(await warehouse.all(readSql("load/listing/enter_snapshots.sql")));
}

function byLanding(rows: readonly (Snapshot & { landingId: string })[]): Map<string, Snapshot> {
  return new Map(rows.map(({ landingId, ...snapshot }) => [landingId, snapshot]));
}
