import { expect, it } from "vitest";
import { computePollDelayMs, countPollsUntil } from "../../../src/extract/export/poll-export.ts";

it.each<[string, number, number[], number]>([
  ["a new job without history: almost at once", 0, [], 1_000],
  ["without history: the elapsed time again", 4_000, [], 4_000],
  ["at most a minute", 500_000, [], 60_000],
  ["a new job: the median of earlier durations", 0, [9_000, 20_000, 7_000], 9_000],
  ["halfway: the rest", 5_000, [9_000], 4_000],
  ["overdue: a tenth of the elapsed time", 30_000, [9_000], 3_000],
  ["overdue, short: at least a second", 9_500, [9_000], 1_000],
])("%s", (_label, elapsedMs, earlierMs, expected) => {
  expect(computePollDelayMs(elapsedMs, earlierMs)).toBe(expected);
});

it.each<[string, number, number[], { polls: number; seenMs: number }]>([
  ["without history", 3_000, [], { polls: 3, seenMs: 4_000 }],
  ["as long as before", 9_000, [9_000, 8_000, 9_500], { polls: 1, seenMs: 9_000 }],
  ["a little longer than before", 9_300, [9_000], { polls: 2, seenMs: 10_000 }],
  ["done before the first poll", 0, [], { polls: 1, seenMs: 1_000 }],
])("counts polls: %s", (_label, durationMs, earlierMs, expected) => {
  expect(countPollsUntil(durationMs, earlierMs)).toEqual(expected);
});
