import { findAcknowledgement } from "../landings/acknowledgement.ts";
import { LandingMover } from "../landings/landing-mover.ts";
import { claimCollector, recordCollector } from "../landings/store-claims.ts";
import { checkCollectorName, folders, parseDescriptionKey } from "../landings/store-layout.ts";
import { assertConditional } from "../storage/assert-conditional.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import { formatDuration } from "../util/text/words.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { closeCollection, collect, type LandingSink, type SyncOptions } from "./collect.ts";
import { forgetLost } from "./forget-lost.ts";
import { listUnfinishedWork, type SyncResult } from "./sync-result.ts";

export interface CollectorOptions extends Omit<SyncOptions, "keepLandingDays"> {
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
 * Collects as `sync` does, and moves landings into a store, from which one loader loads them. Needs no warehouse.
 * @throws {VenueError} `COLLECTOR_NAME_INVALID`, or `STORE_CLAIMED` if another data folder uses the name
 */
export async function collectToStore(
  workspace: Workspace,
  { to, source, takeOver, ...options }: CollectorOptions,
): Promise<CollectResult> {
  const { state, folder, signal } = workspace;
  checkCollectorName(source);
  const storage = await openStorage(to, { signal });
  await assertConditional(storage);
  await claimCollector(storage, source, { id: state.stores.identify(), root: folder.root, takeOver });
  const syncOptions = { ...options, keepLandingDays: 0 };
  const moved = { landings: 0, bytes: 0 };
  const result = await collect(workspace, syncOptions, {
    prepare: async () => {
      await readLoaded(workspace, syncOptions, storage, source);
      return [];
    },
    open: (_result, client): LandingSink => {
      const clock = new ServiceClock(workspace, () => client.clockOffsetMs);
      return new LandingMover({
        ...{ storage, collector: source, folder, landings: state.landings },
        findClockOffsetMs: () => clock.findCorrectionMs(),
        onMoved: (_landing, bytes) => {
          moved.landings += 1;
          moved.bytes += bytes;
        },
      });
    },
  });
  state.landings.prune();
  closeCollection(workspace, syncOptions, result);
  await recordCollector(storage, source, {
    ended_at: new Date().toISOString(),
    software_version: softwareVersion(),
    unfinished: listUnfinishedWork(result),
  });
  return { ...result, moved };
}

/**
 * Reads what the loader has loaded of this collector, for plans, and forgets walks and notices whose landing it
 * neither loaded nor will find in the store, so that they are read again in full.
 */
async function readLoaded(
  workspace: Workspace,
  options: SyncOptions,
  storage: Storage,
  source: string,
): Promise<void> {
  const loaded = await findAcknowledgement(storage, source);
  // Before the first load, nothing is known.
  if (loaded.sizes.length > 0) workspace.state.histories.replace(loaded);
  const safe = new Set(loaded.landings);
  for await (const { key } of storage.list(`${folders.landings}/${source}/`)) {
    const stored = parseDescriptionKey(key);
    if (stored) safe.add(stored.landingId);
  }
  await forgetLost(workspace, options, async (ids) => new Set(ids.filter((id) => !safe.has(id))));
}

/** A smaller difference between two clocks is left alone: the service shows whole seconds. */
const toleratedMs = 60_000;

/** Compares this machine's clock with the service's. */
class ServiceClock {
  readonly #workspace: Workspace;
  readonly #findOffsetMs: () => number | undefined;
  #hasWarned = false;

  constructor(workspace: Workspace, findOffsetMs: () => number | undefined) {
    this.#workspace = workspace;
    this.#findOffsetMs = findOffsetMs;
  }

  /** Returns what to add to request times; `undefined` before the first response. */
  findCorrectionMs(): number | undefined {
    const { settings, logger } = this.#workspace;
    // A fixed clock is meant to differ.
    if (settings.find("VENUE_NOW") !== undefined) return 0;
    const offsetMs = this.#findOffsetMs();
    if (offsetMs === undefined) return undefined;
    if (Math.abs(offsetMs) < toleratedMs) return 0;
    if (!this.#hasWarned) {
      const side = offsetMs > 0 ? "behind" : "ahead of";
      logger.warn(
        `This machine's clock is ${formatDuration(Math.abs(offsetMs) / 1000)} ${side} the service's. Requests are dated by the service's clock. Synchronize this one.`,
      );
    }
    this.#hasWarned = true;
    return offsetMs;
  }
}
