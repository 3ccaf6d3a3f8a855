import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { SyncProgress } from "../../src/extract/sync-progress.ts";

/** First progress line of six sources in about twelve requests, with this many finished. */
function firstLineAfter(requestsSent: number, ended: number): string | undefined {
  const lines: string[][] = [];
  const line = { show: (...parts: string[]) => lines.push(parts), clear: () => {} };
  const progress = new SyncProgress(line, { requestsSent }, 1);
  progress.expect("history", 6, 12);
  // Earlier sources are not shown.
  for (let index = 0; index < ended; index += 1) progress.countEarlier("history");
  progress.expect("history", -ended, 0);
  progress.addBytes(1);
  return lines[0]?.[0];
}

it.each([
  [2, 0, "2 requests, about 10 left (11 s)"],
  [11, 5, "11 requests, about 1 left (2 s)"],
  [30, 4, "30 requests, about 2 left (3 s)"],
  [30, 6, "30 requests"],
])("after %i requests with %i finished sources shows the remaining work", (requests, ended, text) => {
  expect(firstLineAfter(requests, ended)).toBe(text);
});

it.each([5, -1])("continues and shows its duration if the clock changes by %i h", async (hours) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"] });
  const lines: string[][] = [];
  const line = { show: (...parts: string[]) => lines.push(parts), clear: () => {} };
  const progress = new SyncProgress(line, { requestsSent: 1 }, 1);
  progress.addBytes(1);
  vi.setSystemTime(Date.now() + hours * 3_600_000);
  await setTimeout(250);
  progress.addBytes(1);
  expect(lines).toHaveLength(2);
  expect(progress.seconds).toBeGreaterThan(0.2);
  expect(progress.seconds).toBeLessThan(60);
});
