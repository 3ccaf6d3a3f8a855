import { readHistoryKnowledge } from "../load/history/history-knowledge.ts";
import { archiveLandings, LandingLoader } from "../load/landings/landing-loader.ts";
import { findLoaded } from "../load/landings/loaded-landings.ts";
import { applyReference } from "../load/reference/apply-reference.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { closeCollection, collect, type SyncOptions } from "./collect.ts";
import { forgetLost } from "./forget-lost.ts";
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

/** Applies the analyst's reference files, and forgets landings that the warehouse lacks. */
async function prepareWarehouse(workspace: Workspace, options: SyncOptions): Promise<readonly string[]> {
  return await withWarehouse(workspace, async (warehouse) => {
    const { problems } = await applyReference(warehouse, workspace.folder.reference);
    await forgetLost(workspace, options, async (landingIds) => {
      const loaded = new Set((await findLoaded(warehouse, landingIds)).map(({ landingId }) => landingId));
      return new Set(landingIds.filter((landingId) => !loaded.has(landingId)));
    });
    // An earlier version did not record it.
    const { histories } = workspace.state;
    if (histories.isEmpty) histories.replace(await readHistoryKnowledge(warehouse));
    return problems;
  });
}
