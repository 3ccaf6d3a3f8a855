import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { type ListingResult, loadListings } from "../../src/load/listing/load-listings.ts";
import type { ListingLanding } from "../../src/load/listing/read-listings.ts";

export type ListingOwner = { groupId: number; zoneId?: never } | { zoneId: number; groupId?: never };

interface Options {
  loadedAt: Date;
  /** @default "UTC" */
  serviceTimeZone?: string;
}

interface ListingFile {
  landingId: string;
  path: string;
  requestedAt: Date;
}

type KindOfListing = { kind: "signage" | "messaging" };

type Load<Whose> = (
  warehouse: DuckDb,
  landing: ListingFile & Whose,
  options: Options,
) => Promise<ListingResult>;

/** Loads one listing alone. @throws {LandingUnreadableError} */
async function load(warehouse: DuckDb, landing: ListingLanding, options: Options): Promise<ListingResult> {
  const [result] = await loadListings(warehouse, [landing], { serviceTimeZone: "UTC", ...options });
  if (!result || result instanceof Error) throw result;
  return result;
}

export const loadDevices: Load<{ groupId: number }> = (warehouse, landing, options) =>
  load(warehouse, { ...landing, source: "devices" }, options);
export const loadCampaigns: Load<KindOfListing & ListingOwner> = (warehouse, landing, options) =>
  load(warehouse, { ...landing, source: "campaigns" }, options);
export const loadAssets: Load<KindOfListing & ListingOwner> = (warehouse, landing, options) =>
  load(warehouse, { ...landing, source: "assets" }, options);
export const loadNotices: Load<unknown> = (warehouse, landing, options) =>
  load(warehouse, { ...landing, source: "notices" }, options);
export const loadComponents: Load<unknown> = (warehouse, landing, options) =>
  load(warehouse, { ...landing, source: "components" }, options);
