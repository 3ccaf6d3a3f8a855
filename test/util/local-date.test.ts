import { expect, it } from "vitest";
import { addDays, formatWeek, listDaysBetween } from "../../src/util/local-date.ts";

it.each([
  ["2026-11-30", 1, "2026-12-01"],
  ["2026-01-01", -1, "2025-12-31"],
  ["2028-02-28", 1, "2028-02-29"],
  ["2026-03-28", 2, "2026-03-30"],
  ["2026-11-20", 0, "2026-11-20"],
])("%s and %i days are %s", (date, days, sum) => {
  expect(addDays(date, days)).toBe(sum);
});

it.each([
  ["2026-11-16", "2026-W47"],
  ["2026-11-22", "2026-W47"],
  ["2026-11-23", "2026-W48"],
  // The days around a year belong to the week of their Thursday.
  ["2024-12-30", "2025-W01"],
  ["2026-12-31", "2026-W53"],
  ["2027-01-03", "2026-W53"],
  ["2027-01-04", "2027-W01"],
  ["2023-01-01", "2022-W52"],
])("%s is in week %s", (date, week) => {
  expect(formatWeek(date)).toBe(week);
});

it.each([
  ["2026-11-30", "2026-12-01", ["2026-11-30", "2026-12-01"]],
  ["2026-11-30", "2026-11-30", ["2026-11-30"]],
  ["2026-11-30", "2026-11-29", []],
  // A common end date for an open period.
  ["9999-12-30", "9999-12-31", ["9999-12-30", "9999-12-31"]],
])("the days from %s to %s", (from, to, days) => {
  expect(listDaysBetween(from, to)).toEqual(days);
});
