import { existsSync } from "node:fs";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { extract } from "../extract/extract.ts";
import type { ExtractContext } from "../extract/extract-context.ts";
import { PageLimit } from "../extract/page-limit.ts";
import {
  findLostLandings,
  type HistoryKnowledge,
  readHistoryKnowledge,
} from "../extract/plan/history-plan.ts";
import { planSync } from "../extract/plan/plan-sync.ts";
import { computeZoneListings, describeScope, type SyncOptions } from "../extract/plan/sync-options.ts";
import { computeGateLimit, RequestGate } from "../extract/request-gate.ts";
import { SyncProgress } from "../extract/sync-progress.ts";
import { archiveLandings, LandingLoader, sweepLandings } from "../load/landings/landing-loader.ts";
import { applyReference } from "../load/reference/apply-reference.ts";
import { removeLeftFolders } from "../load/temporary-folder.ts";
import type { CollectionScope } from "../state/data/collections.ts";
import { abortWaits, type Clock } from "../util/clock.ts";
import { connect, connectStatus } from "../workspace/connect.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { createEmptyResult, findCommonError, recordExtracted, type SyncResult } from "./sync-result.ts";

export type { SyncOptions } from "../extract/plan/sync-options.ts";

/** Collects and loads, then closes the collection, so that the next sync starts a new one. */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collect(workspace, options);
  closeCollection(workspace, options, result);
  return result;
}

/**
 * Closes the collection. If the run was killed, ran out of time or collected nothing, it stays open for the
 * next run.
 */
export function closeCollection(
  { state, settings }: Workspace,
  options: SyncOptions,
  { isStopped, nothing }: SyncResult,
): void {
  if (!isStopped && !nothing) state.collections.close(describeScope(settings, options));
}

/**
 * Collects the configured groups, and loads landings as they arrive, starting with those of earlier runs. A
 * failed source doesn't stop the others.
 */
export async function collect(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const { settings, state, clock, logger } = workspace;
  const stopper = stopAfter(options.maxMinutes, workspace.signal);
  const waits = abortWaits(clock, stopper.signal);
  const client = connect(settings, logger, waits);
  const status = openStatus(workspace, options, waits);
  const progress = new SyncProgress(workspace.progress, client, settings.get("VENUE_RATE_PER_SECOND"));
  try {
    await sweepLandings(workspace);
    await removeLeftFolders(workspace.folder.temp);
    // Opening the warehouse first detects damage before any request is sent.
    const { knowledge, referenceProblems } = await prepareWarehouse(workspace, options);
    const collectionId = openCollection(workspace, options);
    const plan = planSync({ settings, state, knowledge, now: clock.now() }, options);
    const result = createEmptyResult(plan, options, { hasStatus: status !== undefined, referenceProblems });
    const loader = new LandingLoader(workspace, result);
    for (const landing of state.landings.listReady()) loader.add(landing);
    const context: ExtractContext = {
      ...workspace,
      client,
      progress,
      collectionId,
      service: settings.get("VENUE_BASE_URL").href,
      groupIds: settings.get("VENUE_GROUP_IDS"),
      signal: AbortSignal.any([workspace.signal, loader.failure]),
      stopping: AbortSignal.any([stopper.signal, loader.failure]),
      ...createSharedLimits(settings.get("VENUE_RATE_PER_SECOND"), stopper.signal),
      exportPatienceMs: (options.exportPatienceMinutes ?? 60) * 60_000,
    };
    const order = {
      groupIds: settings.get("VENUE_GROUP_IDS"),
      topics: options.topics,
      ways: plan.history,
      zonesInHistory: knowledge.zonesOfGroup,
      zoneListings: computeZoneListings(settings, options),
      status,
    };
    const extraction = extract(order, context, (extracted) => {
      if ("landing" in extracted) loader.add(extracted.landing);
      recordExtracted(extracted, result);
    });
    const collected = extraction.finally(() => {
      result.seconds = progress.seconds;
    });
    await collected.finally(() => loader.settle());
    const { bytes, counts, left } = progress;
    result.isStopped = stopper.signal.aborted && Object.values(counts).some((topic) => topic.left > 0);
    const done = { requests: client.requestsSent, statusRequests: status?.client.requestsSent ?? 0 };
    Object.assign(result, done, { bytes, sources: counts });
    if (left > 0)
      result.notes.push(`${left} zone listings were left for the next sync (limit: --campaign-minutes).`);
    const nothing = state.landings.hasAny(collectionId) ? undefined : findCommonError(result);
    if (nothing) result.nothing = nothing;
    await archiveLandings(workspace, options.keepLandingDays);
    return result;
  } finally {
    stopper.clear();
    workspace.progress.clear();
    await Promise.all([client.close(), status?.client.close()]);
  }
}

/** Applies the analyst's reference files, forgets lost landings, and reads what is known about histories. */
async function prepareWarehouse(
  workspace: Workspace,
  options: SyncOptions,
): Promise<{ knowledge: HistoryKnowledge; referenceProblems: string[] }> {
  const { folder } = workspace;
  return await withWarehouse(workspace, async (warehouse) => {
    const { problems } = await applyReference(warehouse, folder.reference);
    await forgetLost(warehouse, workspace, describeScope(workspace.settings, options));
    return { knowledge: await readHistoryKnowledge(warehouse), referenceProblems: problems };
  });
}

function openCollection({ settings, state, clock }: Workspace, options: SyncOptions): number {
  const scope = describeScope(settings, options);
  return state.collections.open(scope, clock.now(), () => {
    if (!options.isFull) return;
    state.walks.forgetAll(scope.service);
    state.knownNotices.forget();
  });
}

function openStatus({ settings, logger }: Workspace, { topics }: SyncOptions, waits: Clock) {
  const url = settings.find("VENUE_STATUS_URL")?.href;
  if (!topics.includes("status") || url === undefined) return undefined;
  return { client: connectStatus(settings, logger, waits), url };
}

/** Returns a signal that aborts when the workspace's does, or at the time limit. */
function stopAfter(minutes: number | undefined, signal: AbortSignal) {
  if (minutes === undefined) return { signal, clear: () => {} };
  const time = new AbortController();
  const timer = setTimeout(
    () => time.abort(new Error(`stopped at the --max-minutes limit (${minutes})`)),
    minutes * 60_000,
  );
  // The timer must not keep the process alive.
  timer.unref();
  return { signal: AbortSignal.any([signal, time.signal]), clear: () => clearTimeout(timer) };
}

/** Maximum number of concurrent downloads. More would not be faster. */
const downloadLimit = 4;

function createSharedLimits(ratePerSecond: number, stopping: AbortSignal) {
  return {
    ratePerSecond,
    gate: new RequestGate(computeGateLimit(ratePerSecond), stopping),
    downloadGate: new RequestGate(downloadLimit, stopping),
    pageLimit: new PageLimit(),
    openExports: { count: 0 },
  };
}

/**
 * Forgets collected data that a new or restored warehouse lacks, or whose file was lost, so that it is
 * requested again.
 * @param scope the current collection's scope
 */
async function forgetLost(warehouse: DuckDb, workspace: Workspace, scope: CollectionScope): Promise<void> {
  await forgetLostNotices(warehouse, workspace);
  await forgetLostWalks(warehouse, workspace);
  await closeLostCollection(warehouse, workspace, scope);
}

/**
 * Forgets known notices if their landing was lost, because otherwise only changed notices would be requested.
 */
async function forgetLostNotices(warehouse: DuckDb, { state }: Workspace): Promise<void> {
  const last = state.landings.findLoadedNotices();
  if (last === undefined) return;
  const lost = await findLostLandings(warehouse, [last]);
  if (lost.size > 0) state.knownNotices.forget();
}

/** Forgets walks whose landing this warehouse never loaded, or can't load because its file is gone. */
async function forgetLostWalks(warehouse: DuckDb, { settings, folder, state }: Workspace): Promise<void> {
  const loaded = state.walks.listLoadedLandings();
  const lost = await findLostLandings(warehouse, [...loaded.values()]);
  for (const [walkId, landingId] of loaded) if (lost.has(landingId)) state.walks.forget(walkId);
  const service = settings.get("VENUE_BASE_URL").href;
  for (const landing of state.landings.listReady()) {
    if (landing.source !== "walk" || existsSync(folder.resolve(landing.path))) continue;
    state.walks.forgetZone(service, landing);
  }
}

/** Closes an open collection if some of its landings were loaded into a warehouse that is lost. */
async function closeLostCollection(
  warehouse: DuckDb,
  { state, clock }: Workspace,
  scope: CollectionScope,
): Promise<void> {
  const open = state.collections.find(scope, clock.now());
  if (open === undefined) return;
  const lost = await findLostLandings(warehouse, state.landings.listLoadedIds(open));
  if (lost.size > 0) state.collections.close(scope);
}
