import type { DuckDb } from "../../engines/duckdb.ts";
import type { Kind } from "../../util/kind.ts";
import { expandRules } from "../campaign-dates.ts";
import {
  type ListingLanding,
  type ListingOptions,
  type ListingOwner,
  type ListingResult,
  loadListing,
} from "./load-listing.ts";

export type CampaignsLanding = ListingLanding<ListingOwner> & { kind: Exclude<Kind, "music"> };

/**
 * Loads a listing of signage or messaging campaigns, of a group or of a zone: what it says of each, from this listing
 * to the next, with the assets that are linked. Listings may come late and in any order. Days whose cells of
 * compliance this changes become dirty.
 * @throws {LandingUnreadableError}
 */
export async function loadCampaigns(
  warehouse: DuckDb,
  landing: CampaignsLanding,
  options: ListingOptions,
): Promise<ListingResult> {
  return await loadListing(
    warehouse,
    landing,
    {
      source: "campaigns",
      kind: landing.kind,
      readSql: "load/listing/read_campaigns.sql",
      storeSql: ["store_runs", "renew_spans", "store_spans", "note_assets"].map(
        (name) => `load/listing/${name}.sql`,
      ),
      countSql:
        "select (select count(*) from campaign) as records, (select count(*) from listing_record) as read",
      finish: () => expandRules(warehouse),
    },
    options,
  );
}
