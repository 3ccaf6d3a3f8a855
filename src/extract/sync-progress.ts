import { computePace, estimateSendSeconds, type Pace } from "../state/client/pace.ts";
import { monotonicMs } from "../util/clock.ts";
import type { ProgressLine } from "../util/text/progress-line.ts";
import { countOf, formatDuration } from "../util/text/words.ts";
import type { SyncTopic } from "./sync-topic.ts";

/** Number of sources of one topic, by result. */
export type TopicCounts = Record<SourceState, number> & {
  expected: number;
  /** Number of sources that earlier runs of the same collection completed. */
  earlier: number;
};

/** Window for measuring speeds, in milliseconds. */
const speedWindowMs = 10_000;
const showIntervalMs = 200;

/** Shows the progress of a sync in one line: requests, time left, speeds, and sources per topic. */
export class SyncProgress implements ExtractProgress {
  readonly counts: Partial<Record<SyncTopic, TopicCounts>> = {};
  /** Number of sources that this sync does not request. */
  left = 0;
  bytes = 0;
  #lines = 0;
  #expectedRequests = 0;
  readonly #line: ProgressLine;
  readonly #client: { requestsSent: number };
  readonly #pace: Pace;
  readonly #startedAt = monotonicMs();
  #shownAt = 0;
  #speedSince = { at: monotonicMs(), bytes: 0, lines: 0 };
  #speed = { bytes: 0, lines: 0 };

  constructor(line: ProgressLine, client: { requestsSent: number }, ratePerSecond: number) {
    this.#line = line;
    this.#client = client;
    this.#pace = computePace(ratePerSecond);
  }

  get seconds(): number {
    return (monotonicMs() - this.#startedAt) / 1000;
  }

  addBytes(count: number): void {
    this.bytes += count;
    this.#showThrottled();
  }

  addLines(count: number): void {
    this.#lines += count;
    this.#showThrottled();
  }

  expect(topic: SyncTopic, sources: number, requests: number): void {
    this.#of(topic).expected += sources;
    this.expectRequests(requests);
  }

  countEarlier(topic: SyncTopic): void {
    const counts = this.#of(topic);
    counts.expected += 1;
    counts.earlier += 1;
    counts.complete += 1;
  }

  expectRequests(requests: number): void {
    this.#expectedRequests += requests;
  }

  leave(_topic: SyncTopic, sources: number): void {
    this.left += sources;
  }

  finish(topic: SyncTopic, state: SourceState): void {
    this.#of(topic)[state] += 1;
    this.#showThrottled();
  }

  #of(topic: SyncTopic): TopicCounts {
    this.counts[topic] ??= { expected: 0, complete: 0, incomplete: 0, failed: 0, left: 0, earlier: 0 };
    return this.counts[topic];
  }

  /** Limits how often the line is updated, because bytes and lines arrive in thousands of small chunks. */
  #showThrottled(): void {
    const now = monotonicMs();
    if (now - this.#shownAt < showIntervalMs) return;
    this.#shownAt = now;
    this.#measureSpeed(now);
    this.#line.show(...this.#parts());
  }

  #measureSpeed(now: number): void {
    const { at, bytes, lines } = this.#speedSince;
    const seconds = (now - at) / 1000;
    if (seconds <= 0) return;
    this.#speed = { bytes: (this.bytes - bytes) / seconds, lines: (this.#lines - lines) / seconds };
    if (now - at > speedWindowMs) this.#speedSince = { at: now, bytes: this.bytes, lines: this.#lines };
  }

  /** Returns the parts of the line, most important first. */
  #parts(): string[] {
    const states = Object.entries(this.counts);
    const open = states.reduce((sum, [, counts]) => sum + counts.expected - countEnded(counts), 0);
    const problems = states.reduce((sum, [, { incomplete, failed }]) => sum + incomplete + failed, 0);
    const used = this.#client.requestsSent;
    // Each open source needs at least one request.
    const left = Math.max(this.#expectedRequests - used, open);
    const seconds = estimateSendSeconds(left + 1, this.#pace);
    const topics = states
      .filter(([, counts]) => countEnded(counts) < counts.expected)
      .map(([topic, counts]) => `${topic} ${countEnded(counts)}/${counts.expected}`);
    return [
      left > 0
        ? `${countOf(used, "request")}, about ${left} left (${formatDuration(seconds)})`
        : countOf(used, "request"),
      ...(problems > 0 ? [countOf(problems, "problem")] : []),
      ...topics,
      `${(this.#speed.bytes / 1e6).toFixed(1)} MB/s`,
      `${Math.round(this.#speed.lines)} lines/s`,
    ];
  }
}

function countEnded({ complete, incomplete, failed }: TopicCounts): number {
  return complete + incomplete + failed;
}

type SourceState = "complete" | "incomplete" | "failed" | "left";

export interface ExtractProgress {
  addBytes(count: number): void;
  /** Counts lines received by walks. */
  addLines(count: number): void;
  /** Adds sources to collect for a topic, and the approximate number of requests for them. */
  expect(topic: SyncTopic, sources: number, requests: number): void;
  /** Counts a source that an earlier run of the same collection completed. */
  countEarlier(topic: SyncTopic): void;
  /** Adds requests to the expected number. */
  expectRequests(requests: number): void;
  /** Counts sources that are left to the next sync. */
  leave(topic: SyncTopic, sources: number): void;
  finish(topic: SyncTopic, state: SourceState): void;
}
