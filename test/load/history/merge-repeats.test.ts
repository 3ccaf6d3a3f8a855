import { expect, it } from "vitest";
import { type Slice, sliceDays } from "../../../src/load/history/match-plays.ts";

const firstDay = Date.UTC(2026, 2, 1);
const dayOf = (day: number) => new Date(firstDay + day * 86_400_000).toISOString().slice(0, 19);

/** Days with these line counts. @param rowsOf the first and the last row of a day */
function days(lines: readonly number[], rowsOf: (day: number, before: number) => [number, number]): Slice[] {
  let before = 0;
  return lines.map((count, day) => {
    const [first_row, last_row] = rowsOf(day, before);
    before += count;
    return { from: dayOf(day), to: dayOf(day + 1), lines: count, first_row, last_row };
  });
}

function slicesOf(given: readonly Slice[]) {
  return sliceDays(
    given,
    given.reduce((sum, { lines }) => sum + lines, 0),
  ).map(({ from, to, lines }) => [from, to, lines]);
}

it("chronological days are tested in slices of up to half a million lines", () => {
  const lines = [200_000, 300_000, 100_000, 400_001, 600_000, 1, 2];
  const inOrder = days(lines, (day, before) => [before, before + (lines[day] ?? 0) - 1]);
  expect(slicesOf(inOrder)).toEqual([
    [dayOf(0), dayOf(2), 500_000],
    [dayOf(2), dayOf(3), 100_000],
    [dayOf(3), dayOf(4), 400_001],
    [dayOf(4), dayOf(5), 600_000],
    [dayOf(5), dayOf(7), 3],
  ]);
});

it("days spread over the file are tested in four slices", () => {
  const lines = Array.from({ length: 40 }, () => 100_000);
  const all = days(lines, (day) => [day, 3_999_960 + day]);
  expect(slicesOf(all)).toEqual([0, 10, 20, 30].map((day) => [dayOf(day), dayOf(day + 10), 1_000_000]));
});

it("few unordered lines are one slice", () => {
  expect(slicesOf(days([10, 20, 30], () => [0, 59]))).toEqual([[dayOf(0), dayOf(3), 60]]);
});

it("slices pay off for zones one after another, although each line is read a few times", () => {
  // Four zones, each with all days: a slice of five days spans three quarters of the file.
  const lines = Array.from({ length: 20 }, () => 100_000);
  const byZone = days(lines, (day) => [day * 25_000, 1_500_000 + (day + 1) * 25_000 - 1]);
  expect(slicesOf(byZone)).toHaveLength(4);
  // The day order is kept, whatever the rows.
  const reversed = days(lines, (day) => [(19 - day) * 100_000, (20 - day) * 100_000 - 1]);
  expect(slicesOf(reversed)).toEqual([0, 5, 10, 15].map((day) => [dayOf(day), dayOf(day + 5), 500_000]));
});

it("no lines have no slices", () => {
  expect(slicesOf([])).toEqual([]);
});
