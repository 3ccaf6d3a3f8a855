import { expect, it } from "vitest";
import { dayRanges } from "../../src/build/dirty-days.ts";

it.each([
  ["none", [], 0, []],
  ["one", ["2026-03-01"], 0, ["2026-03-01..2026-03-01"]],
  [
    "neighbours, unsorted, repeated",
    ["2026-03-02", "2026-02-28", "2026-03-01", "2026-03-01"],
    0,
    ["2026-02-28..2026-03-02"],
  ],
  ["apart by three clean days", ["2026-01-01", "2026-01-05"], 0, ["2026-01-01..2026-01-05"]],
  ["apart by four", ["2026-01-01", "2026-01-06"], 0, ["2026-01-01..2026-01-01", "2026-01-06..2026-01-06"]],
  ["apart by three beyond reach", ["2026-01-01", "2026-01-07"], 1, ["2025-12-31..2026-01-08"]],
  [
    "apart by four beyond reach",
    ["2026-01-01", "2026-01-08"],
    1,
    ["2025-12-31..2026-01-02", "2026-01-07..2026-01-09"],
  ],
  ["over a leap day", ["2028-02-28", "2028-02-29", "2028-03-01"], 0, ["2028-02-28..2028-03-01"]],
])("%s", (_label, dates, reachDays, expected) => {
  expect(dayRanges(dates, reachDays).map(({ from, to }) => `${from}..${to}`)).toEqual(expected);
});

it.each([
  [12, 12],
  [13, 1],
])("of %i dates that are alike far apart makes %i ranges", (dates, ranges) => {
  const weekly = Array.from({ length: dates }, (_, week) =>
    new Date(Date.UTC(2026, 0, 1 + 7 * week)).toISOString().slice(0, 10),
  );
  expect(dayRanges(weekly)).toHaveLength(ranges);
});

it("holds every date in few ranges, however many there are", () => {
  const dates = Array.from({ length: 200 }, (_, i) =>
    new Date(Date.UTC(2020, 0, 1 + i * i)).toISOString().slice(0, 10),
  );
  const ranges = dayRanges(dates);
  expect(ranges.length).toBeLessThanOrEqual(12);
  expect(dates.filter((date) => !ranges.some(({ from, to }) => from <= date && date <= to))).toEqual([]);
});
