import { describe, expect, it } from "vitest";
import {
  changeText,
  durationText,
  periodText,
  shortCount,
  shortSpan,
} from "../../../src/report/text/people-text.ts";

it.each([
  [0, "0\u00a0s"],
  [59.6, "1\u00a0min 0\u00a0s"],
  [61, "1\u00a0min 1\u00a0s"],
  [3_599, "59\u00a0min 59\u00a0s"],
  [3_600, "1\u00a0h 0\u00a0min"],
  [360_000_059, "100,000\u00a0h 0\u00a0min"],
  [-90, "-1\u00a0min 30\u00a0s"],
])("%d seconds are %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it.each([
  [999, "999"],
  [1_000, "1 k"],
  [1_250, "1.3 k"],
  [2_000_000, "2 M"],
  [1.5e9, "1.5 G"],
])("%d is short %s", (value, text) => {
  expect(shortCount(value)).toBe(text);
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
  expect(changeText(now, before)).toBe(text);
});

it.each([
  ["2026-11-02", "2 Nov"],
  ["2026-W01", "W01 ’26"],
  ["2026-11", "Nov ’26"],
])("%s is short %s", (span, text) => {
  expect(shortSpan(span)).toBe(text);
});

describe("a period", () => {
  it.each([
    ["2026-11-20", "2026-11-20", "on 20 November 2026"],
    ["2026-10-24", "2026-11-20", "from 24 October to 20 November 2026"],
    ["2025-12-25", "2026-01-05", "from 25 December 2025 to 5 January 2026"],
  ])("from %s to %s reads %s", (from, to, text) => {
    expect(periodText({ from, to })).toBe(text);
  });
});
