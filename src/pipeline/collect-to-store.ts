import { existsSync, rmSync } from "node:fs";
import { findAcknowledgement } from "../landings/acknowledgement.ts";
import { LandingMover } from "../landings/landing-mover.ts";
import { claimCollector, recordCollector } from "../landings/store-claims.ts";
import { checkCollectorName, folders, parseDescriptionKey } from "../landings/store-layout.ts";
import type { Landing } from "../state/data/landings.ts";
import { assertConditional } from "../storage/assert-conditional.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type CollectOptions, closeCollection, collect } from "./collect.ts";
import { followService } from "./service-clock.ts";
import { listUnfinishedWork, type SyncResult } from "./sync-result.ts";

export interface CollectorOptions extends CollectOptions {
  /** Absolute path, or `s3://bucket/prefix`. */
  to: string;
  /** Name of this collector in the store. */
  source: string;
  /** Takes over the name from another data folder. */
  takeOver: boolean;
}

export interface CollectResult extends SyncResult {
  /** Number of landings moved into the store, and their size there. */
  moved: { landings: number; bytes: number };
}

/**
 * Collects as `sync` does, but moves landings into a store for a loader. Needs no warehouse.
 * @throws {VenueError} `COLLECTOR_NAME_INVALID`, or `STORE_CLAIMED` if another data folder uses the name
 */
export async function collectToStore(
  outer: Workspace,
  { to, source, takeOver, ...options }: CollectorOptions,
): Promise<CollectResult> {
  const { state, folder, signal } = outer;
  checkCollectorName(source);
  const storage = await openStorage(to, { signal });
  await assertConditional(storage);
  await claimCollector(storage, source, { id: state.stores.identify(), root: folder.root, takeOver });
  const { clock, onDate } = followService(outer);
  const workspace = { ...outer, clock };
  const moved = { landings: 0, bytes: 0 };
  const result = await collect(workspace, options, {
    onDate,
    prepare: async () => {
      await checkMoved(workspace, storage, source);
      return [];
    },
    open: () =>
      new LandingMover({
        ...{ storage, collector: source, folder, landings: state.landings },
        onMoved: (_landing, bytes) => {
          moved.landings += 1;
          moved.bytes += bytes;
        },
      }),
  });
  closeCollection(workspace, options, result);
  await recordCollector(storage, source, {
    ended_at: new Date().toISOString(),
    software_version: softwareVersion(),
    unfinished: listUnfinishedWork(result),
  });
  return { ...result, moved };
}

/**
 * Reads which of this collector's landings are loaded. Walks and notices build on earlier landings. If one of those is
 * neither loaded nor in the store, its zone or the notices are read in full. If the loader lost any, all are.
 */
async function checkMoved(workspace: Workspace, storage: Storage, source: string): Promise<void> {
  const { state, settings, folder } = workspace;
  const loaded = await findAcknowledgement(storage, source);
  // The sizes are unknown until the first load.
  if (loaded.sizes.length > 0) state.histories.replace(loaded);
  const isLoaded = new Set(loaded.landings);
  const isStored = new Set<string>();
  for await (const { key } of storage.list(`${folders.landings}/${source}/`)) {
    const stored = parseDescriptionKey(key);
    if (stored) isStored.add(stored.landingId);
  }
  const isGone = ({ path }: Landing) => !existsSync(folder.resolve(path));
  const isMissing = ({ landingId }: Landing) => !isLoaded.has(landingId) && !isStored.has(landingId);
  const lost = [
    ...state.landings.listReady().filter(isGone),
    ...state.landings.listLoaded().filter((landing) => isGone(landing) && isMissing(landing)),
  ];
  state.atomically(() => {
    for (const landing of lost) dropLanding(landing, workspace);
    for (const { landingId, path } of state.landings.listLoaded()) {
      if (!isLoaded.has(landingId)) continue;
      rmSync(folder.resolve(path), { force: true });
      state.landings.mark("removed", landingId);
    }
    state.landings.prune();
    const { epoch } = state.stores;
    if (epoch === loaded.epoch) return;
    // Data collected for another store, or for this machine's warehouse, is not in this store.
    if (epoch !== "none") {
      state.walks.deleteAll(settings.get("VENUE_BASE_URL").href);
      state.knownNotices.delete();
    }
    state.stores.setEpoch(loaded.epoch);
  });
}

function dropLanding(landing: Landing, { state, settings }: Workspace): void {
  if (landing.source === "walk") state.walks.deleteZone(settings.get("VENUE_BASE_URL").href, landing);
  if (landing.source === "notices") state.knownNotices.delete();
  state.landings.mark("broken", landing.landingId);
}
