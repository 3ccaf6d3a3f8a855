import { expect, it } from "vitest";
import {
  explainMissingData,
  formatCoveredPeriod,
  formatDates,
  getDayData,
} from "../../../src/report/text/spans.ts";

const days = {
  from: "2026-09-23",
  wholeTo: "2026-11-20",
  partTo: "2026-11-21",
};

it.each([
  ["2026-09-22", "none"],
  ["2026-09-23", "whole"],
  ["2026-11-20", "whole"],
  ["2026-11-21", "part"],
  ["2026-11-22", "none"],
])("%s: %s", (date, data) => {
  expect(getDayData(date, days)).toBe(data);
  expect(getDayData(date, undefined)).toBe("whole");
});

it.each([
  ["2026-10-01", "2026-10-31", "", undefined],
  ["2026-08-23", "2026-10-31", "data begins on 23 September", undefined],
  ["2026-11-01", "2026-11-25", "complete up to 20 November", undefined],
  ["2026-08-23", "2026-11-25", "data begins on 23 September, complete up to 20 November", undefined],
  ["2025-01-01", "2025-01-05", undefined, "the data begins on 23 September 2026."],
  ["2026-12-01", "2026-12-05", undefined, "the data ends on 21 November 2026."],
])("from %s to %s: %s", (from, to, covered, noData) => {
  const period = { from, to };
  if (covered !== undefined) {
    expect(formatCoveredPeriod(period, days)).toBe(
      formatCoveredPeriod(period, undefined) + (covered && ` (${covered})`),
    );
  }
  const sentence = explainMissingData(period, days);
  if (noData === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(/^No data from .*: /);
  expect(sentence?.split(": ")[1]).toBe(noData);
});

it.each([
  ["2026-10-01", "2026-10-31", "2026-10-01 to 2026-10-31"],
  ["2026-08-23", "2026-10-31", "2026-08-23 to 2026-10-31 · the data begins on 23 September 2026"],
])("a heading of %s to %s", (from, to, heading) => {
  expect(formatDates({ from, to }, days)).toBe(heading);
});
