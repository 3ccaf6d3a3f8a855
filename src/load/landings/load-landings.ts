import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Landing } from "../../state/data/landings.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { LandingUnreadableError } from "../errors.ts";
import { type LoadResult, loadHistory, loadWalks } from "../history/load-history.ts";
import { type ListingResult, loadListings } from "../listing/load-listings.ts";

/** Result of loading a landing: its ledger row, or the error if the file could not be read. */
export type LandingOutcome = LoadResult | ListingResult | LandingUnreadableError;

/**
 * Loads landings and then records them as loaded. Accepts one landing of any source, several walks of one kind and
 * different zones, or several listings. If the program crashes between the two steps, the warehouse's ledger prevents
 * a second load.
 * @returns the outcomes; for listings, in the order of the landings
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
  state.landings.mark("loaded", ...loaded.map(({ landingId }) => landingId));
  return outcomes;
}

/** @returns `undefined` if the landings must be loaded one by one; nothing was changed then */
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

/** Limits for landings loaded together. Higher limits are not faster. */
const together = {
  walks: { bytes: 4_000_000, landings: 250 },
  listings: { bytes: 32_000_000, landings: 2000 },
};

export type Walk = Extract<Landing, { source: "walk" }>;

/** Returns true for listings, false for histories. */
export function isListing(landing: Landing): landing is Exclude<Landing, { source: "export" | "walk" }> {
  return landing.source !== "export" && landing.source !== "walk";
}

/**
 * Removes the next landing from the queue, with others that can be loaded in the same transaction. A listing is loaded
 * with other listings, a walk with walks of the same kind and different zones. Never skips ahead of an export, because
 * exports must be loaded in order.
 */
export function takeNextLandings(waiting: Landing[]): Landing[] {
  const first = waiting.shift();
  if (!first || first.source === "export") return first ? [first] : [];
  const canLoadTogether = first.source === "walk" ? createWalkFilter(first) : isListing;
  const limit = first.source === "walk" ? together.walks : together.listings;
  const taken: Landing[] = [first];
  let { bytes } = first;
  for (let index = 0; taken.length < limit.landings; ) {
    const next = waiting[index];
    if (!next || next.source === "export") break;
    // `canLoadTogether` is called first, to record the zone of a walk even if it is too large, because the
    // zone's later walks must wait for that walk.
    if (canLoadTogether(next) && bytes + next.bytes <= limit.bytes) {
      taken.push(...waiting.splice(index, 1));
      bytes += next.bytes;
    } else {
      index += 1;
    }
  }
  return taken;
}

/** Returns a stateful predicate that accepts walks of the same kind whose zone it has not accepted before. */
function createWalkFilter({ kind, zoneId }: Walk): (landing: Landing) => boolean {
  const zones = new Set([zoneId]);
  return (landing) => {
    if (landing.source !== "walk" || landing.kind !== kind || zones.has(landing.zoneId)) return false;
    zones.add(landing.zoneId);
    return true;
  };
}
