import type { LandingSource } from "../state/data/landings.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { SyncTopic } from "./sync-topic.ts";

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
