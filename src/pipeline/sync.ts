import { extract } from "../extract/extract.ts";
import { type SyncTopic, syncTopics } from "../extract/sync-topic.ts";
import { applyReference } from "../load/apply-reference.ts";
import type { CollectionScope } from "../state/collections.ts";
import { connect } from "./connect.ts";
import { LandingLoader, type Loaded } from "./landing-loader.ts";
import { SyncProgress } from "./sync-progress.ts";
import { sweepLandings, tidyLandings } from "./tidy-landings.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

export interface SyncOptions {
  topics: readonly SyncTopic[];
  /** Days that a loaded landing is kept, at least. */
  keepLandingDays: number;
}

/** What a sync did, and what it could not do. */
export interface SyncResult extends Loaded {
  requests: number;
}

/** Collects and loads, to the end: the next sync begins anew. */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collect(workspace, options);
  endCollection(workspace, options);
  return result;
}

/** To be called when a run that collected has come to its end. Until then, the next run goes on with it. */
export function endCollection(workspace: Workspace, options: SyncOptions): void {
  workspace.state.collections.close(scopeOf(workspace, options));
}

/**
 * Collects the configured groups and loads what comes, each landing as soon as it is there; first what an earlier
 * run left unloaded. A source that the service fails stops no other.
 * @throws when the service gave nothing at all
 */
export async function collect(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const { settings, folder, state, clock, logger } = workspace;
  const groupIds = settings.get("VENUE_GROUP_IDS");
  const client = connect(settings, logger);
  const result: SyncResult = { requests: 0, loads: [], listings: 0, failures: [] };
  try {
    await sweepLandings(workspace);
    // Damage shows before a request is spent.
    await withWarehouse(workspace, (warehouse) => applyReference(warehouse, folder.reference));
    const loader = new LandingLoader(workspace, result);
    for (const landing of state.landings.listReady()) loader.add(landing);
    const scope = scopeOf(workspace, options);
    const context = {
      ...workspace,
      client,
      service: scope.service,
      collectionId: state.collections.open(scope, clock.now()),
      progress: new SyncProgress(workspace.progress, client),
      signal: AbortSignal.any([workspace.signal, loader.failure]),
    };
    const extraction = extract(groupIds, options.topics, context, ({ name, ...outcome }) => {
      if ("error" in outcome) result.failures.push({ source: name, error: outcome.error });
      else loader.add(outcome.landing);
    });
    await extraction.finally(() => loader.settle());
    if (!state.landings.isAny(context.collectionId)) throwIfAlike(result);
    await tidyLandings(workspace, options.keepLandingDays);
  } finally {
    result.requests = client.requestsSent;
    workspace.progress.clear();
    await client.close();
  }
  return result;
}

/** When every source failed for one reason, there is one thing to say. */
function throwIfAlike({ failures }: SyncResult): void {
  const [first, ...others] = failures;
  if (first && others.length > 0 && others.every(({ error }) => error.code === first.error.code))
    throw first.error;
}

/** A sync of some topics alone neither goes on with a run of all, nor ends it. */
function scopeOf({ settings }: Workspace, { topics }: SyncOptions): CollectionScope {
  return {
    service: settings.get("VENUE_BASE_URL").href,
    scope: syncTopics.filter((topic) => topics.includes(topic)).join(" "),
  };
}
