import type { StatusClient } from "../api/status-client.ts";
import type { Landing, LandingSource } from "../state/data/landings.ts";
import type { VenueError } from "../util/venue-error.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { HistoryWay } from "./plan/history-plan.ts";
import type { SyncTopic } from "./sync-topic.ts";

export interface ExtractOrder {
  groupIds: readonly number[];
  topics: readonly SyncTopic[];
  /** The method for the history of each group and kind. */
  ways: readonly HistoryWay[];
  /** Returns a group's zones found in history. */
  zonesInHistory(groupId: number): readonly number[];
  /** Maximum number of requested listings of single zones. */
  zoneListings: number;
  /** If absent, status steps are skipped. */
  status?: StatusSource | undefined;
}

export type Extracted = { topic: SyncTopic; name: string } & (
  | { state: "complete"; landing: Landing; note?: string }
  | { state: "incomplete"; landing: Landing; why: string }
  | { state: "failed"; error: VenueError }
  /** There was no time for it; the next sync continues. */
  | { state: "left" }
);

/** Result of a source as its collector returns it. */
export type Collected = { landing: Landing; note?: string; why?: string };

/** Collects and reports one source; `undefined` if it is collected in another way instead. */
export type Attempt = (
  topic: SyncTopic,
  name: string,
  collect: (context: ExtractContext) => Promise<Collected | undefined>,
) => Promise<Extracted["state"] | undefined>;

/** The status API, which has its own budget. */
export interface StatusSource {
  client: StatusClient;
  /** Root URL; state is stored per root. */
  url: string;
}

/**
 * Returns true if this collection has a complete landing of the source from an earlier run, and counts it:
 * call it once per source.
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
