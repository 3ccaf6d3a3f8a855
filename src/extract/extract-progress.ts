import type { SyncTopic } from "./sync-topic.ts";

/** How a source ended. */
export type SourceState = "complete" | "incomplete" | "failed" | "left";

/** What collecting has done so far. */
export interface ExtractProgress {
  addBytes(count: number): void;
  /** Lines that walks brought. */
  addLines(count: number): void;
  /** So many more sources of a topic are to be collected, in about so many requests. */
  expect(topic: SyncTopic, sources: number, requests: number): void;
  /** A source that an earlier run of the same collection has, and all of it. */
  countEarlier(topic: SyncTopic): void;
  /** So many requests more than was expected. */
  expectRequests(requests: number): void;
  /** So many sources of a topic are not asked for now: the next sync does. */
  leave(topic: SyncTopic, sources: number): void;
  finish(topic: SyncTopic, state: SourceState): void;
}
