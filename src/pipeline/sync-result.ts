import type { ExtractResult } from "../extract/extract-order.ts";
import type { SyncPlan } from "../extract/plan/plan-sync.ts";
import type { CollectOptions } from "../extract/plan/sync-options.ts";
import type { TopicCounts } from "../extract/sync-progress.ts";
import type { SyncTopic } from "../extract/sync-topic.ts";
import type { LoadSummary } from "../load/landings/landing-loader.ts";
import type { UnfinishedWork } from "../state/data/runs.ts";
import type { Collector } from "../state/data/stores.ts";
import type { VenueError } from "../util/venue-error.ts";

export interface SyncResult extends LoadSummary {
  plan: SyncPlan;
  /** Number of requests to the main API. */
  requests: number;
  /** Number of requests to the status API. */
  statusRequests: number;
  /** Duration of the collection, without the loads that remained at its end. */
  seconds: number;
  bytes: number;
  /** Numbers of sources by topic and result. */
  sources: Partial<Record<SyncTopic, TopicCounts>>;
  /** Collected sources that may lack records, with the reason. */
  incomplete: { topic: SyncTopic; source: string; why: string }[];
  /** Reference files that were not applied, and why. */
  referenceProblems: readonly string[];
  /** Deviations from the plan, and skipped steps. */
  notes: string[];
  /** The common error if every source failed for the same reason. */
  nothing?: VenueError;
  /** The time limit was reached before everything was collected, so the next sync continues. */
  isStopped: boolean;
}

/** Returns the initial result of a sync. */
export function createEmptyResult(
  plan: SyncPlan,
  { topics }: CollectOptions,
  { hasStatus, referenceProblems }: { hasStatus: boolean; referenceProblems: readonly string[] },
): SyncResult {
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
    referenceProblems,
    notes: skipped ? ["Skipped the status API: VENUE_STATUS_URL is not set."] : [],
    isStopped: false,
  };
}

export function recordExtracted(
  { topic, name, ...extracted }: ExtractResult,
  { failures, incomplete, notes }: SyncResult,
): void {
  if (extracted.state === "failed") failures.push({ topic, source: name, error: extracted.error });
  if (extracted.state === "incomplete") incomplete.push({ topic, source: name, why: extracted.why });
  if (extracted.state === "complete" && extracted.note) notes.push(`${name}: ${extracted.note}.`);
}

/** Result of loading from a landing store. */
export interface StoreLoadResult extends LoadSummary {
  /** Collectors of the store, by the age of their last landing. */
  collectors: readonly Collector[];
  /** Reference files that were not applied, and why. */
  referenceProblems: readonly string[];
}

/** Lists work that the collectors' last runs left unfinished. */
export function listCollectorWork(collectors: readonly Collector[]): UnfinishedWork[] {
  return collectors.flatMap(({ name, unfinished }) =>
    unfinished.map((work) => ({ ...work, subject: `${work.subject} (collector ${name})` })),
  );
}

/** Returns the common error if every source failed for the same reason. */
export function findCommonError({ failures }: Pick<SyncResult, "failures">): VenueError | undefined {
  const [first, ...others] = failures;
  const isCommon = others.length > 0 && others.every(({ error }) => error.code === first?.error.code);
  return isCommon ? first?.error : undefined;
}

export function listUnfinishedWork({
  failures,
  incomplete,
  isStopped,
  sources,
}: Pick<SyncResult, "failures" | "incomplete" | "isStopped" | "sources">): UnfinishedWork[] {
  const left = Object.entries(sources).flatMap(([topic, counts]) => (counts.left > 0 ? [topic] : []));
  const note = "stopped at its time limit; the next one continues";
  return [
    ...failures.map(({ topic, source, error }) => ({
      topic,
      subject: source,
      value: "failed",
      note: error.message,
    })),
    ...incomplete.map(({ topic, source, why }) => ({
      topic,
      subject: source,
      value: "incomplete",
      note: why,
    })),
    ...(isStopped ? left : []).map((topic) => ({
      topic,
      subject: `the last sync of ${topic}`,
      value: "stopped",
      note,
    })),
  ];
}
