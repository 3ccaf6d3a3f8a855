import { expect, it } from "vitest";
import { compareCounts, formatDuration } from "../../../src/report/text/readable-text.ts";

it.each([
  [0, "0\u00a0s"],
  [59.6, "1\u00a0min 0\u00a0s"],
  [61, "1\u00a0min 1\u00a0s"],
  [3_599, "59\u00a0min 59\u00a0s"],
  [3_600, "1\u00a0h 0\u00a0min"],
  [360_000_059, "100,000\u00a0h 0\u00a0min"],
  [-90, "-1\u00a0min 30\u00a0s"],
])("%d seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it.each([
  [110, 100, "10.0 % more than"],
  [95, 100, "5.0 % fewer than"],
  [100, 100, "as many as"],
  [100_001, 100_000, "0.1 % more than"],
  [5_000, 100, "4,900 % more than"],
  [5, 0, undefined],
  // Something is left.
  [1, 5_000, "99.9 % fewer than"],
  [0, 5_000, "100.0 % fewer than"],
])("%d after %d is %s", (now, before, text) => {
  expect(compareCounts(now, before)).toBe(text);
});
