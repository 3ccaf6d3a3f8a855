import { extract } from "../extract/extract.ts";
import type { ExtractContext } from "../extract/extract-context.ts";
import type { Extracted } from "../extract/extract-order.ts";
import { gateLimit, RequestGate } from "../extract/request-gate.ts";
import { SyncStopped } from "../extract/sync-stopped.ts";
import type { SyncTopic } from "../extract/sync-topic.ts";
import { askedRecords } from "../extract/walk/walk-pages.ts";
import { applyReference } from "../load/apply-reference.ts";
import type { VenueError } from "../util/venue-error.ts";
import { connect, connectStatus } from "./connect.ts";
import {
  findLostLandings,
  type HistoryKnowledge,
  hasNotices,
  readHistoryKnowledge,
} from "./history-knowledge.ts";
import { LandingLoader, type Loaded } from "./landing-loader.ts";
import { planSync, type SyncPlan } from "./plan-sync.ts";
import { type SyncOptions, scopeOf, zoneListingsOf } from "./sync-options.ts";
import { SyncProgress, type TopicCounts } from "./sync-progress.ts";
import { sweepLandings, tidyLandings } from "./tidy-landings.ts";
import { type Workspace, withWarehouse } from "./workspace.ts";

export type { SyncOptions } from "./sync-options.ts";

/** What a sync did, and what it could not do. */
export interface SyncResult extends Loaded {
  plan: SyncPlan;
  /** To the main API. */
  requests: number;
  /** To the status API. */
  statusRequests: number;
  /** What collecting took, without what was left to load then. */
  seconds: number;
  bytes: number;
  /** Sources per topic, by how they ended. */
  sources: Partial<Record<SyncTopic, TopicCounts>>;
  /** What was collected, but can't be said to be all that the service has. */
  incomplete: { source: string; why: string }[];
  /** What was done otherwise than planned, and what was skipped. */
  notes: string[];
  /** The time was over before everything was collected: the next sync goes on. */
  isStopped: boolean;
}

/** Collects and loads, to the end: the next sync begins anew. */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const result = await collect(workspace, options);
  endCollection(workspace, options, result);
  return result;
}

/**
 * To be called when a run that collected has come to its end. Until then, and where there was no time for
 * everything, the next run goes on with it.
 */
export function endCollection(
  { state, settings }: Workspace,
  options: SyncOptions,
  { isStopped }: SyncResult,
): void {
  if (!isStopped) state.collections.close(scopeOf(settings, options));
}

/**
 * Collects the configured groups and loads what comes, each landing as soon as it is there; first what an earlier
 * run left unloaded. A source that the service fails stops no other.
 * @throws when the service gave nothing at all
 */
export async function collect(workspace: Workspace, options: SyncOptions): Promise<SyncResult> {
  const { settings, state, clock, logger } = workspace;
  const client = connect(settings, logger);
  const status = openStatus(workspace, options);
  const progress = new SyncProgress(workspace.progress, client, settings.get("VENUE_RATE_PER_SECOND"));
  const stopper = stopAfter(options.maxMinutes, workspace.signal);
  try {
    await sweepLandings(workspace);
    // Damage shows before a request is spent.
    const knowledge = await prepareWarehouse(workspace);
    const collectionId = openCollection(workspace, options);
    const plan = planSync({ settings, state, knowledge, now: clock.now() }, options);
    const result = emptyResult(plan, options, status !== undefined);
    const loader = new LandingLoader(workspace, result);
    for (const landing of state.landings.listReady()) loader.add(landing);
    const context: ExtractContext = {
      ...workspace,
      client,
      progress,
      collectionId,
      service: settings.get("VENUE_BASE_URL").href,
      signal: AbortSignal.any([workspace.signal, loader.failure]),
      stopping: AbortSignal.any([stopper.signal, loader.failure]),
      ...sharedLimits(settings.get("VENUE_RATE_PER_SECOND"), stopper.signal),
      exportPatienceMs: (options.exportPatienceMinutes ?? 60) * 60_000,
    };
    const order = {
      groupIds: settings.get("VENUE_GROUP_IDS"),
      topics: options.topics,
      ways: plan.history,
      zonesInHistory: knowledge.zonesOfGroup,
      zoneListings: zoneListingsOf(settings, options),
      status,
    };
    const extraction = extract(order, context, (extracted) => {
      if ("landing" in extracted) loader.add(extracted.landing);
      note(extracted, result);
    });
    const collected = extraction.finally(() => {
      result.seconds = progress.seconds;
    });
    await collected.finally(() => loader.settle());
    const { bytes, counts, left } = progress;
    result.isStopped = stopper.signal.aborted && Object.values(counts).some((topic) => topic.left > 0);
    const done = { requests: client.requestsSent, statusRequests: status?.client.requestsSent ?? 0 };
    Object.assign(result, done, { bytes, sources: counts });
    if (left > 0) result.notes.push(`${left} listings of zones wait for the next sync: --campaign-minutes.`);
    if (!state.landings.isAny(collectionId)) throwIfAlike(result);
    await tidyLandings(workspace, options.keepLandingDays);
    return result;
  } finally {
    stopper.clear();
    workspace.progress.clear();
    await Promise.all([client.close(), status?.client.close()]);
  }
}

/** Applies the analyst's files, and sees what is known and what of it can be built upon. */
async function prepareWarehouse(workspace: Workspace): Promise<HistoryKnowledge> {
  const { folder, state } = workspace;
  return await withWarehouse(workspace, async (warehouse) => {
    await applyReference(warehouse, folder.reference);
    if (!(await hasNotices(warehouse))) state.statusNotices.forget();
    const loaded = state.walks.loadedLandings();
    const lost = await findLostLandings(warehouse, [...loaded.values()]);
    for (const [walkId, landingId] of loaded) if (lost.has(landingId)) state.walks.forget(walkId);
    return await readHistoryKnowledge(warehouse);
  });
}

function openCollection({ settings, state, clock }: Workspace, options: SyncOptions): number {
  const scope = scopeOf(settings, options);
  return state.collections.open(scope, clock.now(), () => {
    if (!options.isFull) return;
    state.walks.forgetAll(scope.service);
    state.statusNotices.forget();
  });
}

function openStatus({ settings, logger }: Workspace, { topics }: SyncOptions) {
  const url = settings.find("VENUE_STATUS_URL")?.href;
  if (!topics.includes("status") || url === undefined) return undefined;
  return { client: connectStatus(settings, logger), url };
}

/** Aborted with everything else, or when the time is over. */
function stopAfter(minutes: number | undefined, signal: AbortSignal) {
  if (minutes === undefined) return { signal, clear: () => {} };
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new SyncStopped(minutes)), minutes * 60_000);
  return { signal: AbortSignal.any([signal, time.signal]), clear: () => clearTimeout(timer) };
}

/** Files at a time: more make none of them quicker. */
const downloadLimit = 4;

function sharedLimits(ratePerSecond: number, stopping: AbortSignal) {
  return {
    ratePerSecond,
    gate: new RequestGate(gateLimit(ratePerSecond), stopping),
    downloadGate: new RequestGate(downloadLimit, stopping),
    pageLimit: { records: askedRecords },
    openExports: { count: 0 },
  };
}

function emptyResult(plan: SyncPlan, { topics }: SyncOptions, hasStatus: boolean): SyncResult {
  const skipped = topics.includes("status") && !hasStatus;
  return {
    plan,
    requests: 0,
    statusRequests: 0,
    seconds: 0,
    bytes: 0,
    loads: [],
    listings: 0,
    failures: [],
    sources: {},
    incomplete: [],
    notes: skipped ? ["The status API is skipped: VENUE_STATUS_URL is not set."] : [],
    isStopped: false,
  };
}

function note({ name, ...extracted }: Extracted, { failures, incomplete, notes }: SyncResult): void {
  if (extracted.state === "failed") failures.push({ source: name, error: extracted.error });
  if (extracted.state === "incomplete") incomplete.push({ source: name, why: extracted.why });
  if (extracted.state === "complete" && extracted.note)
    notes.push(`${name}: walked, because ${extracted.note}.`);
}

/** When every source failed for one reason, there is one thing to say. */
function throwIfAlike({ failures }: { failures: { error: VenueError }[] }): void {
  const [first, ...others] = failures;
  if (first && others.length > 0 && others.every(({ error }) => error.code === first.error.code))
    throw first.error;
}
