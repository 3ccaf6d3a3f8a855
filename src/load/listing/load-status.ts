import type { DuckDb } from "../../engines/duckdb.ts";
import {
  type ListingLanding,
  type ListingOptions,
  type ListingResult,
  loadListing,
  type NoOwner,
} from "./load-listing.ts";

/** Notices or components of the status API, all or those that changed, one record a line. */
export type StatusLanding = ListingLanding<NoOwner>;

/**
 * Loads notices (incidents, maintenance, announcements), in the form of listings or of details.
 * @throws {LandingUnreadableError}
 */
export async function loadNotices(
  warehouse: DuckDb,
  landing: StatusLanding,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadStatus(warehouse, landing, "notices", "notice", options);
}

/** Loads components: the parts of the service whose state is published. @throws {LandingUnreadableError} */
export async function loadComponents(
  warehouse: DuckDb,
  landing: StatusLanding,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadStatus(warehouse, landing, "components", "component", options);
}

/** @param table of the typed records */
async function loadStatus(
  warehouse: DuckDb,
  landing: StatusLanding,
  source: "notices" | "components",
  table: string,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadListing(
    warehouse,
    landing,
    {
      source,
      kind: "",
      readSql: `load/listing/read_${source}.sql`,
      storeSql: [`load/listing/store_${source}.sql`, "load/listing/no_sightings.sql"],
      countSql: `select (select count(*) from ${table}) as records, (select count(*) from listing_record) as read`,
    },
    options,
  );
}
