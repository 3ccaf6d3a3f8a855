import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { expandRules } from "../campaign-dates.ts";
import { declareTables } from "../declare-tables.ts";
import type { LandingUnreadableError } from "../landing-unreadable-error.ts";
import { setVariables } from "../load-variables.ts";
import { renewZoneDays } from "../zone-days.ts";
import { findSnapshots, type ListingResult } from "./find-snapshots.ts";
import { type ListingLanding, listTurns } from "./listing-landing.ts";
import { readListings } from "./read-listings.ts";

export interface ListingOptions {
  loadedAt: Date;
  /** IANA name: of the service's date-times that carry no offset. */
  serviceTimeZone: string;
  signal?: AbortSignal | undefined;
}

/** A file under `sql/load`, or what else is to be done; only with listings of the sources that follow, if any do. */
type Step = readonly [
  step: string | ((warehouse: DuckDb) => Promise<void>),
  ...sources: ListingLanding["source"][],
];

/** What listings go through once their records are read, at most one listing of each owner at a time. */
const steps: readonly Step[] = [
  ["listing/read_devices", "devices"],
  ["listing/read_assets", "assets"],
  ["listing/read_campaigns", "campaigns"],
  ["listing/read_notices", "notices"],
  ["listing/read_components", "components"],
  ["listing/enter_snapshots"],
  ["shared/store_unknown_fields"],

  ["listing/store_devices", "devices"],
  ["listing/renew_max_gaps", "devices"],
  ["listing/store_locations", "devices"],
  ["shared/note_sightings", "devices"],
  ["listing/store_assets", "assets"],
  ["listing/store_linked_assets", "campaigns"],
  ["listing/store_notices", "notices"],
  ["listing/store_components", "components"],
  ["listing/collect_names", "devices", "assets", "campaigns"],
  ["shared/merge_names", "devices", "assets", "campaigns"],

  ["listing/find_new_zones"],
  [renewZoneDays],

  ["listing/find_repeated", "campaigns"],
  ["listing/widen_repeated", "campaigns"],
  ["listing/store_runs", "campaigns"],
  ["listing/renew_spans", "campaigns"],
  ["listing/find_changed_spans", "campaigns"],
  ["listing/store_spans", "campaigns"],
  ["listing/mark_dirty_campaign_days", "campaigns"],
  [expandRules, "campaigns"],
];

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
      // A history may be next, which needs the memory.
      await declareTables(warehouse, "listing");
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
  const { sources, unreadable } = await readListings(warehouse, open, { loadedAt, signal });
  for (const [step, ...ofSources] of steps) {
    signal?.throwIfAborted();
    if (sources.size === 0 || (ofSources.length > 0 && ofSources.every((source) => !sources.has(source))))
      continue;
    if (typeof step === "string") await warehouse.run(readSql(`load/${step}.sql`));
    else await step(warehouse);
  }
  const loaded = await findSnapshots(warehouse, open);
  return landings.map(({ landingId }) => {
    const result = earlier.get(landingId) ?? loaded.get(landingId);
    const outcome = result ? { ...result, isRepeat: earlier.has(landingId) } : unreadable.get(landingId);
    if (!outcome) throw new Error(`the listing ${landingId} was not entered`);
    return outcome;
  });
}
