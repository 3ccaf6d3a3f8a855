import { existsSync } from "node:fs";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { describeScope } from "../extract/plan/sync-options.ts";
import { readHistoryKnowledge } from "../load/history/history-knowledge.ts";
import { archiveLandings, LandingLoader } from "../load/landings/landing-loader.ts";
import { findLoaded } from "../load/landings/loaded-landings.ts";
import { applyReference } from "../load/reference/apply-reference.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { closeCollection, collect, type SyncOptions } from "./collect.ts";
import type { SyncResult } from "./sync-result.ts";

/** Collects and loads, then closes the collection, so that the next sync starts a new one. */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collectAndLoad(workspace, options);
  closeCollection(workspace, options, result);
  return result;
}

/** Collects into this data folder's warehouse. Landings are loaded as they arrive. */
export async function collectAndLoad(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collect(workspace, options, {
    prepare: () => prepareWarehouse(workspace, options),
    open: (loaded) => new LandingLoader(workspace, loaded),
  });
  if (result.loads.length > 0) {
    const knowledge = await withWarehouse(workspace, readHistoryKnowledge);
    workspace.state.histories.replace(knowledge);
  }
  await archiveLandings(workspace, options.keepLandingDays);
  return result;
}

/** Applies the reference files, and drops the records of landings that the warehouse lacks. */
async function prepareWarehouse(workspace: Workspace, options: SyncOptions): Promise<readonly string[]> {
  return await withWarehouse(workspace, async (warehouse) => {
    const { problems } = await applyReference(warehouse, workspace.folder.reference);
    await dropLost(warehouse, workspace, options);
    // Earlier software versions left `histories` empty.
    const { histories } = workspace.state;
    if (histories.isEmpty) histories.replace(await readHistoryKnowledge(warehouse));
    return problems;
  });
}

/**
 * Drops the records of landings that a new or restored warehouse lacks, or whose file was lost, so that their
 * data is requested again.
 */
async function dropLost(warehouse: DuckDb, workspace: Workspace, options: SyncOptions): Promise<void> {
  const { settings, folder, state, clock } = workspace;
  const findLost = async (landingIds: readonly string[]) => {
    const loaded = new Set((await findLoaded(warehouse, landingIds)).map(({ landingId }) => landingId));
    return new Set(landingIds.filter((landingId) => !loaded.has(landingId)));
  };
  // Without the last notices, only changed ones would be requested.
  const lastNotices = state.landings.findLoadedNotices();
  if (lastNotices !== undefined && (await findLost([lastNotices])).size > 0) state.knownNotices.delete();

  const walks = state.walks.listLoadedLandings();
  const lostWalks = await findLost([...walks.values()]);
  for (const [walkId, landingId] of walks) if (lostWalks.has(landingId)) state.walks.delete(walkId);
  const service = settings.get("VENUE_BASE_URL").href;
  for (const landing of state.landings.listReady())
    if (landing.source === "walk" && !existsSync(folder.resolve(landing.path)))
      state.walks.deleteZone(service, landing);

  const scope = describeScope(settings, options);
  const open = state.collections.find(scope, clock.now());
  if (open !== undefined && (await findLost(state.landings.listLoadedIds(open))).size > 0)
    state.collections.close(scope);
}
