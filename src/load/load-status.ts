import type { DuckDb } from "../engines/duckdb.ts";
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
  return await loadListing(
    warehouse,
    landing,
    {
      source: "notices",
      kind: "",
      readSql: "load/read_notices.sql",
      storeSql: ["load/store_notices.sql", "load/no_sightings.sql"],
      countSql:
        "select (select count(*) from notice) as records, (select count(*) from listing_record) as read",
    },
    options,
  );
}

/** Loads components: the parts of the service whose state is published. @throws {LandingUnreadableError} */
export async function loadComponents(
  warehouse: DuckDb,
  landing: StatusLanding,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadListing(
    warehouse,
    landing,
    {
      source: "components",
      kind: "",
      readSql: "load/read_components.sql",
      storeSql: ["load/store_components.sql", "load/no_sightings.sql"],
      countSql:
        "select (select count(*) from component) as records, (select count(*) from listing_record) as read",
    },
    options,
  );
}
