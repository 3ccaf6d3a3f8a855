import type { StatusClient } from "../api/status-client.ts";
import type { Landing, LandingSource } from "../state/data/landings.ts";
import type { VenueError } from "../util/venue-error.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { HistoryWay } from "./plan/history-plan.ts";
import type { SyncTopic } from "./sync-topic.ts";

export interface ExtractOrder {
  groupIds: readonly number[];
  topics: readonly SyncTopic[];
  /** Collection method (export or walk) for each group and kind of history. */
  ways: readonly HistoryWay[];
  /** Maximum number of listings to request for single zones. */
  zoneListings: number;
  /** If absent, status steps are skipped. */
  status?: StatusSource | undefined;
}

export type ExtractResult = { topic: SyncTopic; name: string } & (
  | { state: "complete"; landing: Landing; note?: string }
  | { state: "incomplete"; landing: Landing; why: string }
  | { state: "failed"; error: VenueError }
  /** Time ran out; the next sync continues. */
  | { state: "left" }
);

/** Result that a collector returns for one source. */
export type CollectResult = { landing: Landing; note?: string; why?: string };

/** Collects and reports one source. Returns `undefined` if the source will be collected with another method. */
export type Attempt = (
  topic: SyncTopic,
  name: string,
  collect: (context: ExtractContext) => Promise<CollectResult | undefined>,
) => Promise<ExtractResult["state"] | undefined>;

/** The status API, which has its own budget. */
export interface StatusSource {
  client: StatusClient;
  /** Root URL of the API. State is stored per root URL. */
  url: string;
}

/**
 * Returns true if an earlier run of this collection has landed the complete source. Also counts the source in
 * the progress, so call this once per source.
 */
export function isCollected(
  source: LandingSource,
  topic: SyncTopic,
  { state, collectionId, progress }: ExtractContext,
): boolean {
  const isComplete = state.landings.isComplete(collectionId, source) === true;
  if (isComplete) progress.countEarlier(topic);
  return isComplete;
}
