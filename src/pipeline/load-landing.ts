import type { DuckDb } from "../engines/duckdb.ts";
import { loadAssets } from "../load/listing/load-assets.ts";
import { loadCampaigns } from "../load/listing/load-campaigns.ts";
import { loadDevices } from "../load/listing/load-devices.ts";
import { loadComponents, loadNotices } from "../load/listing/load-status.ts";
import { type LoadResult, loadHistory } from "../load/load-history.ts";
import { loadWalks } from "../load/load-walks.ts";
import type { Landing } from "../state/landings.ts";
import type { Workspace } from "./workspace.ts";

/** What became of a landing. */
type LandingLoad = { history: LoadResult } | "listing";

/** Loads one landing and notes that it is done. Killed in between, the warehouse's ledger tells a second time. */
export async function loadLanding(
  landing: Landing,
  warehouse: DuckDb,
  workspace: Workspace,
): Promise<LandingLoad> {
  const { folder, state } = workspace;
  const result = await load({ ...landing, path: folder.resolve(landing.path) }, warehouse, workspace);
  state.landings.markLoaded(landing.landingId);
  return result;
}

/**
 * Loads walks of one kind and of different zones in one go, and notes that they are done.
 * @returns `undefined`, with nothing done, where they have to be loaded one by one
 */
export async function loadWalkLandings(
  landings: readonly Landing[],
  warehouse: DuckDb,
  { folder, state, signal, progress }: Workspace,
): Promise<LoadResult[] | undefined> {
  const walks = landings.flatMap((landing) =>
    landing.source === "walk" ? [{ ...landing, path: folder.resolve(landing.path) }] : [],
  );
  progress.show(`Loading ${walks[0]?.kind}: ${walks.length} zones`);
  const loads = await loadWalks(warehouse, walks, { loadedAt: new Date(), signal });
  if (loads) state.landings.markLoaded(...landings.map(({ landingId }) => landingId));
  return loads;
}

async function load(
  landing: Landing,
  warehouse: DuckDb,
  { settings, signal, progress }: Workspace,
): Promise<LandingLoad> {
  const options = { loadedAt: new Date(), signal };
  switch (landing.source) {
    case "devices": {
      const serviceTimeZone = settings.get("VENUE_SERVICE_TIME_ZONE");
      await loadDevices(warehouse, landing, { ...options, serviceTimeZone });
      return "listing";
    }
    case "assets":
      await loadAssets(warehouse, landing, options);
      return "listing";
    case "campaigns":
      await loadCampaigns(warehouse, landing, options);
      return "listing";
    case "export":
    case "walk": {
      const onProgress = (step: string) => progress.show(`Loading ${landing.kind}: ${step}`);
      return { history: await loadHistory(warehouse, landing, { ...options, onProgress }) };
    }
    case "notices":
      await loadNotices(warehouse, landing, options);
      return "listing";
    case "components":
      await loadComponents(warehouse, landing, options);
      return "listing";
  }
}
