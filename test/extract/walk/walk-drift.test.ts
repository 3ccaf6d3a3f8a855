import { expect, it } from "vitest";
import { type Drift, findContinuation, findDrift } from "../../../src/extract/walk/walk-drift.ts";

const tail = [1, 2, 3, 4, 5];

it.each<[string, number, number[], Drift]>([
  ["nothing came in", 100, [6, 7, 8], { repeats: 0 }],
  ["one came in before", 101, [5, 6, 7], { repeats: 1 }],
  ["three came in before", 103, [3, 4, 5, 6], { repeats: 3 }],
  ["more came in before than a page holds", 120, [2, 3, 4, 5], { repeats: 4 }],
  ["one came in behind", 101, [6, 7, 8], { repeats: 0 }],
  ["a line twice, the total as it was", 100, [5, 6, 7], { suspect: 10 }],
  ["two were taken away", 98, [8, 9, 10], { suspect: 12 }],
  ["no records although there should be", 100, [], { suspect: 10 }],
])("%s", (_label, total, hashes, drift) => {
  expect(findDrift({ tail, total: 100 }, { hashes, total, offset: 50 })).toEqual(drift);
});

it("sees the end", () => {
  expect(findDrift({ tail, total: 100 }, { hashes: [], total: 100, offset: 100 })).toEqual({ repeats: 0 });
});

it.each<[string, number[], number, number | undefined]>([
  ["where it was expected", [3, 4, 5, 6], 3, 3],
  ["further up", [4, 5, 6, 7], 4, 2],
  ["further down", [1, 2, 3, 4, 5, 6], 2, 5],
  ["of two places, the one that was expected", [5, 5, 6], 1, 1],
  ["nowhere", [7, 8, 9], 3, undefined],
])("finds what comes next: %s", (_label, hashes, expected, index) => {
  expect(findContinuation([3, 4, 5], hashes, expected)).toBe(index);
});
