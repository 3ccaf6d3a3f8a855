import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Landing } from "../../state/data/landings.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type LoadResult, loadHistory, loadWalks } from "../history/load-history.ts";
import { LandingUnreadableError } from "../landing-unreadable-error.ts";
import type { ListingResult } from "../listing/find-snapshots.ts";
import { loadListings } from "../listing/load-listings.ts";
import { isListing } from "./next-landings.ts";

/** What became of a landing: its row in the ledger, or why it can't be read. */
export type LandingOutcome = LoadResult | ListingResult | LandingUnreadableError;

/**
 * Loads one landing, walks of one kind and of different zones, or listings, and notes that they are done. Killed in
 * between, the warehouse's ledger tells a second time.
 * @returns the outcomes: of listings in the order of the landings
 */
export async function loadLandings(
  landings: readonly Landing[],
  warehouse: DuckDb,
  workspace: Workspace,
): Promise<LandingOutcome[]> {
  const { folder, state } = workspace;
  const found = landings.map((landing) => ({ ...landing, path: folder.resolve(landing.path) }));
  const outcomes = await loadTogether(found, warehouse, workspace);
  if (!outcomes) {
    const each: LandingOutcome[] = [];
    for (const landing of landings) each.push(...(await loadLandings([landing], warehouse, workspace)));
    return each;
  }
  const loaded = landings.filter((_, index) => !(outcomes[index] instanceof LandingUnreadableError));
  state.landings.markLoaded(...loaded.map(({ landingId }) => landingId));
  return outcomes;
}

/** @returns `undefined`, with nothing done, where they have to be loaded one by one */
async function loadTogether(
  landings: readonly Landing[],
  warehouse: DuckDb,
  { settings, signal, progress }: Workspace,
): Promise<LandingOutcome[] | undefined> {
  const options = { loadedAt: new Date(), signal };
  const listings = landings.filter(isListing);
  const walks = landings.filter((landing) => landing.source === "walk");
  if (listings.length > 0) {
    progress.show(`Loading ${listings.length} listings`);
    const serviceTimeZone = settings.get("VENUE_SERVICE_TIME_ZONE");
    return await loadListings(warehouse, listings, { ...options, serviceTimeZone });
  }
  if (walks.length > 1) {
    progress.show(`Loading ${walks[0]?.kind}: ${walks.length} zones`);
    return await loadWalks(warehouse, walks, options);
  }
  const history = landings.find((landing) => !isListing(landing));
  if (!history) return undefined;
  const onProgress = (step: string) => progress.show(`Loading ${history.kind}: ${step}`);
  try {
    return [await loadHistory(warehouse, history, { ...options, onProgress })];
  } catch (error) {
    if (error instanceof LandingUnreadableError) return [error];
    throw error;
  }
}
