import { expect, it } from "vitest";
import { defaultRetry, retryDelayMs } from "../../src/util/retry-delays.ts";

const longest = { ...defaultRetry, random: () => 1 };

it.each([
  ["first", 1, 0, true, 500],
  ["second", 2, 1000, true, 1_000],
  ["fifth", 5, 10_000, true, 8_000],
  ["capped", 7, 40_000, true, 30_000],
  ["no attempt left", 8, 60_000, true, undefined],
  ["never connected", 4, 5_000, false, 4_000],
  ["never connected, no attempt left", 5, 5_000, false, undefined],
  ["would begin too late", 2, 899_500, true, undefined],
])("%s", (_label, attempt, elapsedMs, isConnected, delayMs) => {
  expect(retryDelayMs({ attempt, elapsedMs, isConnected }, longest)).toBe(delayMs);
});

it("is anything from nothing to the bound", () => {
  const failed = { attempt: 3, elapsedMs: 0, isConnected: true };
  expect(retryDelayMs(failed, { ...defaultRetry, random: () => 0 })).toBe(0);
  expect(retryDelayMs(failed, { ...defaultRetry, random: () => 0.25 })).toBe(500);
});
