import { expect, it } from "vitest";
import { describePartialSpans, listSpans } from "../../../src/report/text/spans.ts";

it.each<["week" | "month" | "quarter", string, string, string | undefined, string[]]>([
  ["week", "2026-11-02", "2026-11-15", undefined, ["2026-W45 7/7 whole", "2026-W46 7/7 whole"]],
  [
    "week",
    "2026-11-07",
    "2026-11-16",
    undefined,
    ["2026-W45 2/7 part", "2026-W46 7/7 whole", "2026-W47 1/7 part"],
  ],
  [
    "week",
    "2026-11-02",
    "2026-11-29",
    "2026-11-11",
    ["2026-W45 7/7 whole", "2026-W46 3/7 part", "2026-W47 0/7 none", "2026-W48 0/7 none"],
  ],
  [
    "month",
    "2028-01-31",
    "2028-03-31",
    undefined,
    ["2028-01 1/31 part", "2028-02 29/29 whole", "2028-03 31/31 whole"],
  ],
  ["month", "2026-12-01", "2026-12-31", "2026-12-30", ["2026-12 30/31 part"]],
  ["quarter", "2026-09-30", "2026-12-31", "2026-12-31", ["2026-Q3 1/92 part", "2026-Q4 92/92 whole"]],
])("%ss from %s to %s with data up to %s", (by, from, to, wholeTo, expected) => {
  const dataDays = wholeTo === undefined ? undefined : { from: "", wholeTo, partTo: wholeTo };
  const spans = listSpans(by, { from, to }, dataDays);
  expect(spans.map(({ name, days, length, data }) => `${name} ${days}/${length} ${data}`)).toEqual(expected);
});

it.each([
  ["2026-11-02", "2026-11-15", undefined],
  ["2026-11-07", "2026-11-15", "2026-W45 (2 of 7 days) is only part of a week."],
  ["2026-11-07", "2026-11-16", "2026-W45 (2 of 7 days) and 2026-W47 (1 of 7 days) are only part of a week."],
])("notes which weeks from %s to %s are partial", (from, to, note) => {
  expect(describePartialSpans("week", listSpans("week", { from, to }, undefined))).toBe(note);
});

it("the week in which the data begins is partial, and earlier weeks are empty", () => {
  const dataDays = {
    from: "2026-11-12",
    wholeTo: "2026-11-22",
    partTo: "2026-11-22",
  };
  const spans = listSpans("week", { from: "2026-11-02", to: "2026-11-22" }, dataDays);
  expect(spans.map(({ name, days, data }) => `${name} ${days} ${data}`)).toEqual([
    "2026-W45 0 none",
    "2026-W46 4 part",
    "2026-W47 7 whole",
  ]);
  expect(describePartialSpans("week", spans)).toBe("2026-W46 (4 of 7 days) is only part of a week.");
});
