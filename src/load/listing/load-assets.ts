import type { DuckDb } from "../../engines/duckdb.ts";
import type { Kind } from "../../util/kind.ts";
import {
  type ListingLanding,
  type ListingOptions,
  type ListingOwner,
  type ListingResult,
  loadListing,
} from "./load-listing.ts";

export type AssetsLanding = ListingLanding<ListingOwner> & { kind: Exclude<Kind, "music"> };

/**
 * Loads a listing of signage or messaging assets, of a group or of a zone: lengths (in the service's own unit), names and dates.
 * @throws {LandingUnreadableError}
 */
export async function loadAssets(
  warehouse: DuckDb,
  landing: AssetsLanding,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadListing(
    warehouse,
    landing,
    {
      source: "assets",
      kind: landing.kind,
      readSql: "load/listing/read_assets.sql",
      storeSql: ["load/listing/store_assets.sql"],
      countSql:
        "select (select count(*) from asset) as records, (select count(*) from listing_record) as read",
    },
    options,
  );
}
