import { expect, it } from "vitest";
import { resolveComparedPeriod } from "../../../src/report/options/compare-option.ts";

const period = (from: string, to: string) => ({ from, to });

it.each([
  ["date", period("2026-11-05", "2026-11-11"), period("2026-10-29", "2026-11-04")],
  ["zone", period("2026-11-05", "2026-11-11"), period("2026-10-29", "2026-11-04")],
  // Thursday to Wednesday touches two weeks: the same weekdays two weeks earlier.
  ["week", period("2026-11-05", "2026-11-11"), period("2026-10-22", "2026-10-28")],
  ["week", period("2026-11-02", "2026-11-15"), period("2026-10-19", "2026-11-01")],
  ["month", period("2026-10-01", "2026-10-31"), period("2026-09-01", "2026-09-30")],
  ["month", period("2026-09-01", "2026-10-31"), period("2026-07-01", "2026-08-31")],
  ["month", period("2026-03-10", "2026-03-30"), period("2026-02-10", "2026-02-28")],
  ["month", period("2026-01-01", "2026-02-28"), period("2025-11-01", "2025-12-31")],
  ["quarter", period("2026-04-01", "2026-06-30"), period("2026-01-01", "2026-03-31")],
])("by %s, the days before %j are %j", (by, requested, before) => {
  expect(resolveComparedPeriod(requested, "before", [by])).toEqual(before);
});

it.each([
  [
    "week",
    "2026-10-05",
    "2026-10-11",
    "by week needs periods with the same number of weeks: these have 2 and 1.",
  ],
  [
    "month",
    "2026-09-30",
    "2026-10-01",
    "by month needs periods with the same number of months: these have 1 and 2.",
  ],
])("by %s, refuses to compare with %s to %s", (by, from, to, message) => {
  expect(() => resolveComparedPeriod(period("2026-11-02", "2026-11-15"), { from, to }, [by])).toThrow(
    message,
  );
});
