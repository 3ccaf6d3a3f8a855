import { afterAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { listLocalTimes } from "../../../src/engines/duckdb/local-dates.ts";
import { readClocks, type ZoneClock } from "../../../src/report/findings/reported-days.ts";
import { parsePeriod, resolvePeriod } from "../../../src/report/options/period-option.ts";

const database = await DuckDb.open({ threads: 1 });
afterAll(() => database.close());
const mart = {
  listLocalTimes: (timeZones: readonly string[], instants: readonly Date[]) =>
    listLocalTimes(database, timeZones, instants),
};
const findDaysUpTo = async (clocks: readonly ZoneClock[], now: string) => {
  const instant = new Date(now);
  return (await readClocks(mart, clocks, [instant]))(instant);
};

const named = (timeZone: string): ZoneClock => ({ timeZone, utcOffsetMinutes: null });
const offset = (utcOffsetMinutes: number): ZoneClock => ({ timeZone: null, utcOffsetMinutes });

it.each<[string, ZoneClock[], string, string]>([
  ["no zones: UTC", [], "2026-11-21T00:00:00Z", "2026-11-20"],
  ["the second before midnight", [offset(0)], "2026-11-20T23:59:59Z", "2026-11-19"],
  ["only a zone ahead", [offset(600)], "2026-11-20T14:00:00Z", "2026-11-20"],
  ["the zone furthest behind decides", [offset(600), offset(-480)], "2026-11-20T14:00:00Z", "2026-11-19"],
  ["a named zone in winter", [named("America/New_York")], "2026-11-21T04:59:00Z", "2026-11-19"],
  ["the same, a minute later", [named("America/New_York")], "2026-11-21T05:00:00Z", "2026-11-20"],
  // Vancouver keeps summer time from 2026 on, which older time zone data does not know.
  [
    "a named zone that stopped changing its clocks",
    [named("America/Vancouver")],
    "2026-11-21T07:30:00Z",
    "2026-11-20",
  ],
  ["the same in summer", [named("America/New_York")], "2026-07-21T04:00:00Z", "2026-07-20"],
  [
    "a name overrides an offset",
    [{ timeZone: "Asia/Tokyo", utcOffsetMinutes: -480 }],
    "2026-11-20T15:00:00Z",
    "2026-11-20",
  ],
  [
    "an unknown name: its offset",
    [{ timeZone: "Mars/Base", utcOffsetMinutes: 600 }],
    "2026-11-20T14:00:00Z",
    "2026-11-20",
  ],
  [
    "a known and an unknown name",
    [named("Asia/Tokyo"), { timeZone: "Mars/Base", utcOffsetMinutes: 600 }],
    "2026-11-20T14:30:00Z",
    "2026-11-19",
  ],
  [
    "a zone that never played: UTC",
    [{ timeZone: null, utcOffsetMinutes: null }],
    "2026-11-21T00:00:00Z",
    "2026-11-20",
  ],
])("last complete day: %s", async (_label, clocks, now, date) => {
  expect((await findDaysUpTo(clocks, now)).wholeTo).toBe(date);
});

it("also returns the last day that has begun in any zone", async () => {
  const clocks = [offset(600), offset(-480)];
  expect(await findDaysUpTo(clocks, "2026-11-20T14:00:00Z")).toEqual({
    wholeTo: "2026-11-19",
    partTo: "2026-11-21",
  });
});

it.each([
  [{}, { from: "2026-10-24", to: "2026-11-20" }],
  [{ from: "2026-11-01" }, { from: "2026-11-01", to: "2026-11-20" }],
  [{ from: "2026-11-21" }, { from: "2026-11-21", to: "2026-11-21" }],
  [{ to: "2026-03-01" }, { from: "2026-02-02", to: "2026-03-01" }],
  [
    { from: "2026-01-01", to: "2026-12-31" },
    { from: "2026-01-01", to: "2026-12-31" },
  ],
  [{ from: "yesterday" }, { from: "2026-11-20", to: "2026-11-20" }],
  [
    { from: "2026-11-14", to: "yesterday" },
    { from: "2026-11-14", to: "2026-11-20" },
  ],
  // 20 November 2026 is a Friday.
  [{ from: "this-week" }, { from: "2026-11-16", to: "2026-11-20" }],
  [{ from: "last-week" }, { from: "2026-11-09", to: "2026-11-15" }],
  [{ from: "this-month" }, { from: "2026-11-01", to: "2026-11-20" }],
  [{ from: "last-month" }, { from: "2026-10-01", to: "2026-10-31" }],
  [
    { from: "last-month", to: "last-week" },
    { from: "2026-10-01", to: "2026-11-15" },
  ],
  [
    { from: "2026-11-02", to: "this-week" },
    { from: "2026-11-02", to: "2026-11-20" },
  ],
  [{ to: "last-month" }, { from: "2026-10-04", to: "2026-10-31" }],
  [{ from: "7d" }, { from: "2026-11-14", to: "2026-11-20" }],
  [{ from: "1d" }, { from: "2026-11-20", to: "2026-11-20" }],
  [
    { from: "7d", to: "2026-10-31" },
    { from: "2026-10-25", to: "2026-10-31" },
  ],
  [{ from: "2026-10" }, { from: "2026-10-01", to: "2026-10-31" }],
  [
    { from: "2026-02", to: "2026-04" },
    { from: "2026-02-01", to: "2026-04-30" },
  ],
  [
    { from: "2026-11", to: "yesterday" },
    { from: "2026-11-01", to: "2026-11-20" },
  ],
  [{ to: "2026-02" }, { from: "2026-02-01", to: "2026-02-28" }],
  [{ from: "2026-W47" }, { from: "2026-11-16", to: "2026-11-22" }],
  [{ from: "2026-Q4" }, { from: "2026-10-01", to: "2026-12-31" }],
])("%j becomes %j", (requested, period) => {
  expect(resolvePeriod(parsePeriod(requested), "2026-11-20")).toEqual(period);
});

it.each([
  ["2026-11-22", "this-week", "2026-11-16"],
  ["2026-11-22", "last-week", "2026-11-16"],
  ["2026-11-23", "last-week", "2026-11-16"],
  ["2026-11-30", "last-month", "2026-11-01"],
  ["2026-12-01", "last-month", "2026-11-01"],
  ["2027-01-03", "last-week", "2026-12-28"],
])("if the last complete day is %s, %s starts on %s", (lastDay, from, first) => {
  expect(resolvePeriod(parsePeriod({ from }), lastDay).from).toBe(first);
});

it.each([
  [
    { from: "2026-13" },
    "--from (2026-13) is not a valid date. Write it as YYYY-MM-DD, or as in 7d, yesterday, this-week, last-week, this-month, last-month, 2026-W47, 2026-10, 2026-Q4.",
  ],
  [{ from: "0d" }, "--from (0d) is not a valid date."],
  [{ to: "7d" }, "--to (7d) is a number of days, which only --from takes. Write a date, such as 2026-10-31."],
  [{ from: "1899-12" }, "--from (1899-12) is outside the dates that reports cover."],
  [{ from: "9999d", to: "1910-01-01" }, "--from (9999d) is outside the dates that reports cover."],
  [{ from: "2026-11", to: "2026-10" }, "--from (2026-11-01) is after --to (2026-10-31)."],
  [{ from: "yesterday", to: "2026-10" }, "--from (2026-11-20) is after --to (2026-10-31)."],
])("refuses %j", (requested, message) => {
  expect(() => resolvePeriod(parsePeriod(requested), "2026-11-20")).toThrow(message);
});
