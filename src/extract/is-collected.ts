import type { LandingSource } from "../state/landings.ts";
import type { ExtractContext } from "./extract-context.ts";
import type { SyncTopic } from "./sync-topic.ts";

/** Whether an earlier run of this collection has a source already; then it counts as collected. To be asked once. */
export function isCollected(
  source: LandingSource,
  topic: SyncTopic,
  { state, collectionId, progress }: ExtractContext,
): boolean {
  const isComplete = state.landings.isComplete(collectionId, source);
  if (isComplete !== undefined) progress.countEarlier(topic, isComplete ? "complete" : "incomplete");
  return isComplete !== undefined;
}
