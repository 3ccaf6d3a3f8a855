import { existsSync } from "node:fs";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findLostLandings } from "../extract/plan/history-knowledge.ts";
import type { CollectionScope } from "../state/data/collections.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Has asked for again what was collected, but is not in this warehouse and won't come into it: the warehouse is new, or
 * older than it was, or files are gone.
 * @param scope what is collected now
 */
export async function forgetLost(
  warehouse: DuckDb,
  workspace: Workspace,
  scope: CollectionScope,
): Promise<void> {
  await forgetLostNotices(warehouse, workspace);
  await forgetLostWalks(warehouse, workspace);
  await endLostCollection(warehouse, workspace, scope);
}

/** Of notices that are known only those would be asked for that changed. */
async function forgetLostNotices(warehouse: DuckDb, { state }: Workspace): Promise<void> {
  const last = state.landings.findLoadedNotices();
  if (last === undefined) return;
  const lost = await findLostLandings(warehouse, [last]);
  if (lost.size > 0) state.knownNotices.forget();
}

/** What walks brought that this warehouse never loaded, or won't load because its file is gone, can't be built upon. */
async function forgetLostWalks(warehouse: DuckDb, { settings, folder, state }: Workspace): Promise<void> {
  const loaded = state.walks.loadedLandings();
  const lost = await findLostLandings(warehouse, [...loaded.values()]);
  for (const [walkId, landingId] of loaded) if (lost.has(landingId)) state.walks.forget(walkId);
  const service = settings.get("VENUE_BASE_URL").href;
  for (const landing of state.landings.listReady()) {
    if (landing.source !== "walk" || existsSync(folder.resolve(landing.path))) continue;
    state.walks.forgetZone(service, landing);
  }
}

/** What an earlier run has collected is asked for again where it was loaded into a warehouse that is lost. */
async function endLostCollection(
  warehouse: DuckDb,
  { state, clock }: Workspace,
  scope: CollectionScope,
): Promise<void> {
  const open = state.collections.find(scope, clock.now());
  if (open === undefined) return;
  const lost = await findLostLandings(warehouse, state.landings.loadedOf(open));
  if (lost.size > 0) state.collections.close(scope);
}
