import { expect, it } from "vitest";
import { parseModelHeader } from "../../src/mart/model.ts";

const header = `-- One row per zone
-- and day.
--
-- Grain: zone_id, date
-- Reads: core.play,
--   staging.play
-- Built: day, reach 28, any kind
-- Published: by month, ordered by zone_id, date
-- Columns:
--   zone_id   The zone.
--   date      Local day: a long
--             story.

-- not part of the header
select 1
`;

it("is read whole", () => {
  expect(parseModelHeader("mart.x", header)).toEqual({
    summary: "One row per zone and day.",
    grain: ["zone_id", "date"],
    reads: ["core.play", "staging.play"],
    built: { by: "day", topic: "plays", reachDays: 28, isAnyKind: true },
    withoutViews: { by: "whole" },
    published: { isByMonth: true, orderedBy: ["zone_id", "date"] },
    columns: [
      { name: "zone_id", text: "The zone." },
      { name: "date", text: "Local day: a long story." },
    ],
  });
});

it.each([
  ["view", { by: "view" }],
  ["whole", { by: "whole" }],
  ["day", { by: "day", topic: "plays", reachDays: 0, isAnyKind: false }],
  ["day, any kind", { by: "day", topic: "plays", reachDays: 0, isAnyKind: true }],
  ["day of campaigns", { by: "day", topic: "campaigns", reachDays: 0, isAnyKind: false }],
  ["day of devices, reach 1", { by: "day", topic: "devices", reachDays: 1, isAnyKind: false }],
])("Built: %s", (text, built) => {
  expect(parseModelHeader("mart.x", header.replace("day, reach 28, any kind", text)).built).toEqual(built);
});

it.each([
  ["reader", { by: "reader" }],
  ["day", { by: "day", topic: "plays", reachDays: 0, isAnyKind: false }],
])("Without views: %s", (text, withoutViews) => {
  const sql = header.replace("day, reach 28, any kind", `view\n-- Without views: ${text}`);
  expect(parseModelHeader("mart.x", sql)).toMatchObject({ built: { by: "view" }, withoutViews });
});

it("is one file in the order of its key, unless it says otherwise", () => {
  const text = header.replace(/-- Published.*\n/, "");
  expect(parseModelHeader("mart.x", text).published).toEqual({
    isByMonth: false,
    orderedBy: ["zone_id", "date"],
  });
});

it.each([
  ["no columns", header.replace("-- Columns:\n", "")],
  ["no grain", header.replace(/-- Grain.*\n/, "")],
  ["an unknown way to build", header.replace("day, reach 28, any kind", "hour")],
  ["a view where there are none", header.replace("-- Built", "-- Without views: view\n-- Built")],
  ["an unknown way to publish", header.replace("by month, ordered by", "sorted by")],
  ["a line that is no column", header.replace("--   date ", "-- date ")],
])("refuses %s", (_label, text) => {
  expect(() => parseModelHeader("mart.x", text)).toThrow(SyntaxError);
});
