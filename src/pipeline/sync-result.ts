import type { Extracted } from "../extract/extract-order.ts";
import type { SyncPlan } from "../extract/plan/plan-sync.ts";
import type { SyncOptions } from "../extract/plan/sync-options.ts";
import type { TopicCounts } from "../extract/sync-progress.ts";
import type { SyncTopic } from "../extract/sync-topic.ts";
import type { Loaded } from "../load/landings/landing-loader.ts";
import type { UnfinishedWork } from "../state/data/runs.ts";
import type { VenueError } from "../util/venue-error.ts";

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
  /** Why the service gave nothing at all, where that is the same for every source. */
  nothing?: VenueError;
  /** The time was over before everything was collected: the next sync goes on. */
  isStopped: boolean;
}

/** Of a sync that has not begun. */
export function emptyResult(plan: SyncPlan, { topics }: SyncOptions, hasStatus: boolean): SyncResult {
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

/** Notes what came of a source. */
export function noteExtracted(
  { name, ...extracted }: Extracted,
  { failures, incomplete, notes }: SyncResult,
): void {
  if (extracted.state === "failed") failures.push({ source: name, error: extracted.error });
  if (extracted.state === "incomplete") incomplete.push({ source: name, why: extracted.why });
  if (extracted.state === "complete" && extracted.note) notes.push(`${name}: ${extracted.note}.`);
}

/** When every source failed for one reason, there is one thing to say. */
export function commonError({ failures }: Pick<SyncResult, "failures">): VenueError | undefined {
  const [first, ...others] = failures;
  const isCommon = others.length > 0 && others.every(({ error }) => error.code === first?.error.code);
  return isCommon ? first?.error : undefined;
}

/** What a sync left undone. */
export function unfinishedOf({
  failures,
  incomplete,
  isStopped,
}: Pick<SyncResult, "failures" | "incomplete" | "isStopped">): UnfinishedWork[] {
  return [
    ...failures.map(({ source, error }) => ({ subject: source, value: "failed", note: error.message })),
    ...incomplete.map(({ source, why }) => ({ subject: source, value: "incomplete", note: why })),
    ...(isStopped
      ? [{ subject: "the last sync", value: "stopped", note: "its time was over; the next one goes on" }]
      : []),
  ];
}
