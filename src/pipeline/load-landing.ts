import type { DuckDb } from "../engines/duckdb.ts";
import { loadAssets } from "../load/load-assets.ts";
import { loadDevices } from "../load/load-devices.ts";
import { type LoadResult, loadHistory } from "../load/load-history.ts";
import type { Landing } from "../state/landings.ts";
import type { Workspace } from "./workspace.ts";

/** Loads one landing and notes that it is done. Killed in between, the warehouse's ledger tells a second time. */
export async function loadLanding(
  landing: Landing,
  warehouse: DuckDb,
  workspace: Workspace,
): Promise<LoadResult | undefined> {
  const { folder, state } = workspace;
  const result = await load({ ...landing, path: folder.resolve(landing.path) }, warehouse, workspace);
  state.landings.markLoaded(landing.landingId);
  return result;
}

async function load(
  landing: Landing,
  warehouse: DuckDb,
  { settings, signal, progress }: Workspace,
): Promise<LoadResult | undefined> {
  const options = { loadedAt: new Date(), signal };
  switch (landing.source) {
    case "devices":
      await loadDevices(warehouse, landing, {
        ...options,
        serviceTimeZone: settings.get("VENUE_SERVICE_TIME_ZONE"),
      });
      return undefined;
    case "assets":
      await loadAssets(warehouse, landing, options);
      return undefined;
    default:
      return await loadHistory(warehouse, landing, {
        ...options,
        onProgress: (step) => progress.show(`Loading ${landing.kind}: ${step}`),
      });
  }
}
