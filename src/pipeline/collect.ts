import { extract } from "../extract/extract.ts";
import type { ExtractContext } from "../extract/extract-context.ts";
import { PageLimit } from "../extract/page-limit.ts";
import { planSync } from "../extract/plan/plan-sync.ts";
import { type CollectOptions, computeZoneListings, describeScope } from "../extract/plan/sync-options.ts";
import { computeGateLimit, RequestGate } from "../extract/request-gate.ts";
import { SyncProgress } from "../extract/sync-progress.ts";
import { deleteOldLandings } from "../load/landings/landing-loader.ts";
import { removeLeftFolders } from "../load/temporary-folder.ts";
import type { Landing } from "../state/data/landings.ts";
import { abortWaits, type Clock } from "../util/clock.ts";
import { connect, connectStatus } from "../workspace/connect.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createEmptyResult, findCommonError, recordExtracted, type SyncResult } from "./sync-result.ts";

export type { CollectOptions, SyncOptions } from "../extract/plan/sync-options.ts";

/** Where landings go: into this data folder's warehouse, or into a store. */
export interface LandingTarget {
  /**
   * Called before the first request. Drops records of landings that the target has lost, so they are collected again.
   * @returns reference files that were not applied, and why
   */
  prepare(): Promise<readonly string[]>;
  open(result: SyncResult): LandingSink;
  /** Called with the service's time in each response that has one, in ms since the epoch. */
  onDate?(servedAtMs: number): void;
}

/** Receives landings as they arrive. */
interface LandingSink {
  add(landing: Landing): void;
  /** Aborted with an error when the sink stops accepting landings. */
  readonly failure: AbortSignal;
  /** Resolves when all landings are processed. @throws the error of `failure` */
  finish(): Promise<void>;
}

/**
 * Collects the configured groups, and hands over landings as they arrive, starting with those of earlier
 * runs. A failed source doesn't stop the others.
 */
export async function collect(
  workspace: Workspace,
  options: CollectOptions,
  target: LandingTarget,
): Promise<SyncResult> {
  const { settings, state, clock, logger } = workspace;
  const stopper = stopAfter(options.maxMinutes, workspace.signal);
  const waits = abortWaits(clock, stopper.signal);
  const client = connect(settings, logger, waits, (servedAtMs) => target.onDate?.(servedAtMs));
  const status = openStatus(workspace, options, waits);
  const progress = new SyncProgress(workspace.progress, client, settings.get("VENUE_RATE_PER_SECOND"));
  try {
    await deleteOldLandings(workspace);
    await removeLeftFolders(workspace.folder.temp);
    // Prepares the target first, so that damage is found before any request is sent.
    const referenceProblems = await target.prepare();
    // Gets the service's time before any request is dated. If this fails, the first request fails, too.
    if (target.onDate) await client.authenticate(workspace.signal).catch(() => {});
    const collectionId = openCollection(workspace, options);
    const plan = planSync({ settings, state, now: clock.now() }, options);
    const result = createEmptyResult(plan, options, { hasStatus: status !== undefined, referenceProblems });
    const sink = target.open(result);
    for (const landing of state.landings.listReady()) sink.add(landing);
    const context: ExtractContext = {
      ...workspace,
      client,
      progress,
      collectionId,
      service: settings.get("VENUE_BASE_URL").href,
      groupIds: settings.get("VENUE_GROUP_IDS"),
      signal: AbortSignal.any([workspace.signal, sink.failure]),
      stopping: AbortSignal.any([stopper.signal, sink.failure]),
      ...createSharedLimits(settings.get("VENUE_RATE_PER_SECOND"), stopper.signal),
      exportPatienceMs: (options.exportPatienceMinutes ?? 60) * 60_000,
    };
    const order = {
      groupIds: settings.get("VENUE_GROUP_IDS"),
      topics: options.topics,
      ways: plan.history,
      zoneListings: computeZoneListings(settings, options),
      status,
    };
    const extraction = extract(order, context, (extracted) => {
      if ("landing" in extracted) sink.add(extracted.landing);
      recordExtracted(extracted, result);
    });
    const collected = extraction.finally(() => {
      result.seconds = progress.seconds;
    });
    await collected.finally(() => sink.finish());
    const { bytes, counts, left } = progress;
    result.isStopped = stopper.signal.aborted && Object.values(counts).some((topic) => topic.left > 0);
    const done = { requests: client.requestsSent, statusRequests: status?.client.requestsSent ?? 0 };
    Object.assign(result, done, { bytes, sources: counts });
    if (left > 0)
      result.notes.push(`${left} zone listings were left for the next sync (limit: --campaign-minutes).`);
    const nothing = state.landings.hasAny(collectionId) ? undefined : findCommonError(result);
    if (nothing) result.nothing = nothing;
    return result;
  } finally {
    stopper.clear();
    workspace.progress.clear();
    await Promise.all([client.close(), status?.client.close()]);
  }
}

/**
 * Closes the collection, so that the next run starts a new one. If the run was killed, ran out of time or
 * collected nothing, the collection stays open, and the next run continues it.
 */
export function closeCollection(
  { state, settings }: Workspace,
  options: CollectOptions,
  { isStopped, nothing }: SyncResult,
): void {
  if (!isStopped && !nothing) state.collections.close(describeScope(settings, options));
}

function openCollection({ settings, state, clock }: Workspace, options: CollectOptions): number {
  const scope = describeScope(settings, options);
  return state.collections.open(scope, clock.now(), () => {
    if (!options.isFull) return;
    state.walks.deleteAll(scope.service);
    state.knownNotices.delete();
  });
}

function openStatus({ settings, logger }: Workspace, { topics }: CollectOptions, waits: Clock) {
  const url = settings.find("VENUE_STATUS_URL")?.href;
  if (!topics.includes("status") || url === undefined) return undefined;
  return { client: connectStatus(settings, logger, waits), url };
}

/** Returns a signal that aborts with the given one, or at the time limit. */
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
