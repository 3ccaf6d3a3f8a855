import type { Settings } from "../config/settings.ts";
import type { DuckDb } from "../engines/duckdb.ts";
import { extract } from "../extract/extract.ts";
import type { SyncTopic } from "../extract/sync-topic.ts";
import { applyReference } from "../load/apply-reference.ts";
import type { LoadResult } from "../load/load-history.ts";
import type { Landing } from "../state/landings.ts";
import { connect } from "./connect.ts";
import { loadLanding } from "./load-landing.ts";
import { SyncProgress } from "./sync-progress.ts";
import { sweepCutListings, tidyLandings } from "./tidy-landings.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

export interface SyncOptions {
  topics: readonly SyncTopic[];
  /** Days that a loaded landing is kept, at least. */
  keepLandingDays: number;
}

/** What a sync did, and what it could not do. */
export interface SyncResult {
  requests: number;
  loads: LoadResult[];
  /** Landings of listings that were loaded. */
  listings: number;
  failures: { source: string; error: unknown }[];
}

/** Collects and loads, to the end: the next sync begins anew. */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collect(workspace, options);
  endCollection(workspace);
  return result;
}

/** To be called when a run that collected has come to its end. Until then, the next run goes on with it. */
export function endCollection({ state, settings }: Workspace): void {
  state.collections.close(serviceOf(settings));
}

/**
 * Collects the configured groups and loads what comes, each landing as soon as it is there; first what an earlier
 * run left unloaded. A source that fails stops no other.
 */
export async function collect(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const { settings, folder, state, clock, logger } = workspace;
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const client = connect(settings, logger);
  const result: SyncResult = { requests: 0, loads: [], listings: 0, failures: [] };
  try {
    await withWarehouse(workspace, async (warehouse) => {
      await sweepCutListings(workspace);
      await applyReference(warehouse, folder.reference);
      const loader = new LandingLoader(warehouse, workspace, result);
      for (const landing of state.landings.listReady()) loader.add(landing);
      const context = {
        ...workspace,
        client,
        service: serviceOf(settings),
        collectionId: state.collections.open(serviceOf(settings), clock.now()),
        progress: new SyncProgress(workspace.progress, client),
        // A load that fails is a failure of ours: nothing more is worth collecting.
        signal: AbortSignal.any([workspace.signal, loader.failure]),
      };
      const extraction = extract(groupIds, options.topics, context, ({ name, ...outcome }) => {
        if ("landing" in outcome) loader.add(outcome.landing);
        else result.failures.push({ source: name, error: outcome.error });
      });
      await extraction.finally(() => loader.settle());
    });
    await tidyLandings(workspace, options.keepLandingDays);
  } finally {
    result.requests = client.requestsSent;
    workspace.progress.clear();
    await client.close();
  }
  return result;
}

/** What jobs and collections are kept apart by. */
function serviceOf(settings: Settings): string {
  return settings.get("VENUE_BASE_URL").href;
}

/** Loads landings one after the other, in the order in which they come. */
class LandingLoader {
  readonly #warehouse: DuckDb;
  readonly #workspace: Workspace;
  readonly #result: SyncResult;
  readonly #failure = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor(warehouse: DuckDb, workspace: Workspace, result: SyncResult) {
    this.#warehouse = warehouse;
    this.#workspace = workspace;
    this.#result = result;
  }

  /** Aborted, with the error as its reason, when a load fails. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  add(landing: Landing): void {
    this.#queue = this.#queue.then(async () => {
      if (this.failure.aborted) return;
      try {
        await this.#load(landing);
      } catch (error) {
        this.#failure.abort(error);
      }
    });
  }

  /** Resolves when all is loaded. @throws what a load threw */
  async settle(): Promise<void> {
    await this.#queue;
    this.failure.throwIfAborted();
  }

  async #load(landing: Landing): Promise<void> {
    const loaded = await loadLanding(landing, this.#warehouse, this.#workspace);
    if (loaded) this.#result.loads.push(loaded);
    else this.#result.listings += 1;
  }
}
