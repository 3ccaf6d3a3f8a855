import type { StatusClient } from "../api/status-client.ts";
import type { Landing, LandingSource } from "../state/data/landings.ts";
import type { VenueError } from "../util/venue-error.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { HistoryWay } from "./plan/history-plan.ts";
import type { SyncTopic } from "./sync-topic.ts";

/** What to collect. */
export interface ExtractOrder {
  groupIds: readonly number[];
  topics: readonly SyncTopic[];
  /** How the history of each group and kind is collected. */
  ways: readonly HistoryWay[];
  /** Zones of a group that history itself named. */
  zonesInHistory(groupId: number): readonly number[];
  /** Listings of single zones that are asked for, at most. */
  zoneListings: number;
  /** Absent: status steps are skipped. */
  status?: StatusSource | undefined;
}

/** What came of a source. */
export type Extracted = { topic: SyncTopic; name: string } & (
  | { state: "complete"; landing: Landing; note?: string }
  | { state: "incomplete"; landing: Landing; why: string }
  | { state: "failed"; error: VenueError }
  /** There was no time for it; the next sync goes on with it. */
  | { state: "left" }
);

/** What came of a source, as the one who collects it says it. */
export type Collected = { landing: Landing; note?: string; why?: string };

/**
 * Runs what collects one source, and reports what came of it; of one that is collected in another way instead
 * (`undefined`), nothing.
 */
export type Attempt = (
  topic: SyncTopic,
  name: string,
  collect: (context: ExtractContext) => Promise<Collected | undefined>,
) => Promise<Extracted["state"] | undefined>;

/** The status API: it has a budget of its own. */
export interface StatusSource {
  client: StatusClient;
  /** Root: what is known is kept apart by it. */
  url: string;
}

/**
 * Whether an earlier run of this collection has a source already; then it counts as collected. To be asked once. What
 * can't be said to be complete is collected again.
 */
export function isCollected(
  source: LandingSource,
  topic: SyncTopic,
  { state, collectionId, progress }: ExtractContext,
): boolean {
  const isComplete = state.landings.has(collectionId, source);
  if (isComplete) progress.countEarlier(topic);
  return isComplete;
}
