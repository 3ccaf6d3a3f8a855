import { expect, it } from "vitest";
import { findAhead, findDueRecords, hasReachedInstant } from "../../../src/extract/walk/walk-record.ts";
import { namedRecords } from "./named-records.ts";

const requested = new Date("2026-11-20T12:00:00Z");
const inHours = (hours: number) => new Date(requested.getTime() + hours * 3_600_000);

it.each([
  [25, false],
  [24, true],
  [-3, true],
])("records that begin in %d hours are due: %s", (hours, isDue) => {
  const ahead = { from: inHours(hours), records: 2 };
  expect(findDueRecords(ahead, requested)).toBe(isDue ? ahead : undefined);
});

it("nothing is due if no record was ahead", () => {
  expect(findDueRecords(undefined, requested)).toBeUndefined();
});

it("records are ahead if they begin more than a day after their request", () => {
  const records = [23, 24, 24.001, 30, Number.NaN].map((hours, index) => ({
    ...namedRecords("abcde".charAt(index))[0],
    instantMs: inHours(hours).getTime(),
  })) as ReturnType<typeof namedRecords>;
  expect(findAhead(records, requested.toISOString()).map(({ line }) => line)).toEqual(["c", "d"]);
});

it.each<[string, number | null, boolean]>([
  ["c d e", null, true],
  ["c d e", 3, true],
  ["c d e", 2, false],
  ["", 2, false],
])("records %j reach below %s: %s", (names, from, isBelow) => {
  expect(hasReachedInstant(namedRecords(names), from)).toBe(isBelow);
});
