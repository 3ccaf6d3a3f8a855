import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Landing } from "../../state/data/landings.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { LandingUnreadableError } from "../errors.ts";
import { type LoadResult, loadHistory, loadWalks } from "../history/load-history.ts";
import { type ListingResult, loadListings } from "../listing/load-listings.ts";

/** Result of a landing: its ledger row, or the error that made it unreadable. */
export type LandingOutcome = LoadResult | ListingResult | LandingUnreadableError;

/**
 * Loads one landing, walks of one kind and different zones, or listings, and records them as done. After a
 * crash in between, the warehouse's ledger prevents a second load.
 * @returns the outcomes; for listings in the order of the landings
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

/** @returns `undefined`, without changes, if they have to be loaded one by one */
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

/** Limits of loading together; higher ones gain nothing. */
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
 * Takes the next landing to load from those waiting, with others that can be loaded in the same transaction:
 * with a listing, other listings; with a walk, walks of the same kind and different zones. Takes nothing from
 * after an export, whose order matters.
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
    // `canLoadTogether` runs first to record the zone of a walk that is too large: the zone's later walks must wait.
    if (canLoadTogether(next) && bytes + next.bytes <= limit.bytes) {
      taken.push(...waiting.splice(index, 1));
      bytes += next.bytes;
    } else {
      index += 1;
    }
  }
  return taken;
}

/** Returns a stateful predicate for walks of the same kind and a zone not seen before. */
function createWalkFilter({ kind, zoneId }: Walk): (landing: Landing) => boolean {
  const zones = new Set([zoneId]);
  return (landing) => {
    if (landing.source !== "walk" || landing.kind !== kind || zones.has(landing.zoneId)) return false;
    zones.add(landing.zoneId);
    return true;
  };
}
