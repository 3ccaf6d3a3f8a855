import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DuckDb } from "../../../src/engines/duckdb/duckdb.ts";
import { formatHeading } from "../../../src/report/format/formatter.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import type { Report } from "../../../src/report/result-types.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays, countDaysBetween } from "../../../src/util/local-date.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { findUnportable } from "../../support/portability.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { demoNow, shareDemoData } from "../../support/shared-demo.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { generatePlays, publishedWorld } from "../plays-world.ts";
import { rowsOf } from "../report-rows.ts";

/** Zone 15 stops playing when zone 14 begins; the data covers 2026-10-12 to 2026-11-19 completely. */
const plays = generatePlays().filter(({ zoneId, local }) =>
  zoneId === 14 ? local >= "2026-11-13" : zoneId !== 15 || local < "2026-11-13",
);
const worldNow = new Date("2026-11-21T06:00:00Z");

let folder: string;
let world: PublishedMart;
let demo: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, publishedWorld("v000001", plays));
  world = await openPublished(folder, { threads: 1 });
  demo = await openPublished(join(await shareDemoData(), "published"), { threads: 1 });
});
afterAll(() => {
  world.close();
  demo.close();
  rmSync(folder, { recursive: true });
});

type Row = Record<string, unknown>;

async function made(words: TypedOptions): Promise<Report & { found: Row[] }> {
  const isOfWorld = words.report === "plays";
  const report = await runReport(
    isOfWorld ? world : demo,
    parseReportOptions(words),
    isOfWorld ? worldNow : demoNow,
  );
  return { ...report, found: await rowsOf(report) };
}

const week = { from: "2026-11-13", to: "2026-11-19" };
const shares = /^(compliance|(asset_)?coverage|punctuality|(open_)?availability(_without_planned)?)$/;

/** Shown for the reported period only. */
const ownDates = ["last_played_date", "first_missed_date"];

/** Expected comparison rows by key, computed from one report per period. */
async function expectedRows(
  words: TypedOptions,
  other: { from: string; to: string },
): Promise<Map<string, Row>> {
  const { top: _top, per: _per, only: _only, ...others } = words;
  const now = await made(words);
  const then = await made({ ...others, ...other });
  const measures = now.columns.flatMap(({ name, type, unit }) =>
    (type === "integer" || type === "share") && unit !== "id" && name !== "hour" ? [name] : [],
  );
  const shift = countDaysBetween(other.from, words.from ?? "");
  const keyOf = (row: Row) =>
    JSON.stringify(
      now.columns.flatMap(({ name }) =>
        measures.includes(name) || ownDates.includes(name) ? [] : [row[name]],
      ),
    );
  const ofThen = new Map(
    then.found.map((row) => {
      const moved = row.date === undefined ? row : { ...row, date: addDays(String(row.date), shift) };
      return [keyOf(moved), moved] as const;
    }),
  );
  const ofNow = new Map(now.found.map((row) => [keyOf(row), row]));
  const isChosen = words.top !== undefined || words.only !== undefined;
  const keys = new Set([...ofNow.keys(), ...(isChosen ? [] : ofThen.keys())]);
  return new Map(
    [...keys].map((key) => {
      const [row, before] = [ofNow.get(key), ofThen.get(key)];
      const joined: Row = { ...(row ?? before) };
      if (joined.date !== undefined) joined.date_then = addDays(String(joined.date), -shift);
      for (const name of ownDates) if (name in joined) joined[name] = row?.[name] ?? null;
      for (const name of measures) {
        const nothing = (side: Row | undefined, counterpart: Row | undefined) =>
          side ? (side[name] ?? null) : shares.test(name) || counterpart?.[name] == null ? null : 0;
        const [value, valueThen] = [nothing(row, before), nothing(before, row)];
        joined[name] = value;
        if (name === "resolution_seconds") continue;
        joined[`${name}_then`] = valueThen;
        joined[`${name}_change`] =
          value === null || valueThen === null ? null : Number(value) - Number(valueThen);
      }
      return [key, joined] as const;
    }),
  );
}

const comparisons: readonly [compare: string, words: TypedOptions, other: { from: string; to: string }][] = [
  [
    "last-week",
    { report: "plays", from: "this-week", by: ["zone"] },
    { from: "2026-11-09", to: "2026-11-15" },
  ],
  ["2026-W45", { report: "plays", ...week, by: ["kind,date"] }, { from: "2026-11-02", to: "2026-11-08" }],
  ["before", { report: "plays", ...week, by: ["zone"] }, { from: "2026-11-06", to: "2026-11-12" }],
  [
    "4-weeks-ago",
    { report: "plays", ...week, by: ["kind,hour"], group: ["1"] },
    { from: "2026-10-16", to: "2026-10-22" },
  ],
  ["before", { report: "compliance", ...week, by: ["campaign"] }, { from: "2026-11-06", to: "2026-11-12" }],
  [
    "2026-11-18..2026-11-18",
    { report: "uptime", from: "2026-11-20", to: "2026-11-20", by: ["zone"] },
    { from: "2026-11-18", to: "2026-11-18" },
  ],
  ["before", { report: "plays", ...week }, { from: "2026-11-06", to: "2026-11-12" }],
  ["before", { report: "plays", ...week, by: ["location"] }, { from: "2026-11-06", to: "2026-11-12" }],
  [
    "4-weeks-ago",
    { report: "plays", ...week, by: ["zone,date"], kind: ["music"] },
    { from: "2026-10-16", to: "2026-10-22" },
  ],
  ["before", { report: "plays", ...week, by: ["item"], top: "5" }, { from: "2026-11-06", to: "2026-11-12" }],
  [
    "before",
    { report: "plays", ...week, by: ["kind,item"], top: "2", per: ["kind"] },
    { from: "2026-11-06", to: "2026-11-12" },
  ],
  [
    "2026-11-10..2026-11-16",
    { report: "plays", ...week, by: ["artist"] },
    { from: "2026-11-10", to: "2026-11-16" },
  ],
  [
    "2026-10-20..2026-10-31",
    { report: "plays", ...week, by: ["group"] },
    { from: "2026-10-20", to: "2026-10-31" },
  ],
  [
    "before",
    { report: "compliance", ...week, by: ["campaign,zone"], only: ["missed"] },
    { from: "2026-11-06", to: "2026-11-12" },
  ],
  [
    "before",
    { report: "uptime", from: "2026-11-20", to: "2026-11-20", by: ["device,date"] },
    { from: "2026-11-19", to: "2026-11-19" },
  ],
];

itEachSampled(comparisons, 5)(
  "--compare %s with %o: has the rows of both periods, each previous figure, and its change",
  async ([compare, words, other]) => {
    const expected = await expectedRows(words, other);
    const compared = await made({ ...words, compare });
    expect(compared.found.length).toBeGreaterThan(0);
    const sorted = (rows: Iterable<Row>) =>
      Array.from(rows, (row) => JSON.stringify(Object.entries(row).sort())).sort();
    expect(sorted(compared.found)).toEqual(sorted(expected.values()));
    expect(compared.columns.map(({ name }) => name)).toEqual(Object.keys(compared.found[0] ?? {}));
  },
);

it("shows zones that only one period has", async () => {
  const { found } = await made({ report: "plays", ...week, by: ["zone"], compare: "before" });
  const row = (zone: number) => found.find(({ zone_id }) => zone_id === zone);
  expect(row(14)).toMatchObject({ zone_name: "مقهى", plays: 105, plays_then: 0, plays_change: 105 });
  expect(row(15)).toMatchObject({ zone_name: "Zone 15", plays: 0, plays_then: 105, plays_change: -105 });
});

it.each<[string, TypedOptions]>([
  ["changes over both periods", { report: "plays", ...week, kind: ["signage"], compare: "before" }],
  [
    "excluded days without data and their counterparts",
    { report: "plays", from: "2026-11-15", to: "2026-11-23", compare: "before" },
  ],
  [
    "that the data begins later",
    { report: "plays", from: "2026-10-18", to: "2026-10-27", compare: "before", by: ["date"] },
  ],
  [
    "averages per day of periods of different lengths",
    { report: "plays", ...week, compare: "2026-10-01..2026-10-14" },
  ],
  ["that no comparison is possible", { report: "plays", ...week, compare: "2026-09-01..2026-09-07" }],
  [
    "percentage points of a ratio",
    { report: "uptime", from: "2026-11-20", to: "2026-11-20", compare: "before" },
  ],
  [
    "the largest decrease, and unsettled days",
    {
      report: "compliance",
      ...{ from: "2026-10-24", to: "2026-11-20", compare: "4-weeks-ago" },
      ...{ by: ["campaign"], kind: ["signage"], campaign: ["2,13"] },
    },
  ],
  ["the zone with the largest decrease", { report: "plays", ...week, by: ["zone"], compare: "before" }],
])("notes %s", async (_label, words) => {
  const report = await made(words);
  expect([formatHeading(report).details, ...report.notes]).toMatchSnapshot();
});

it("leaves the other figures blank if nothing can be compared", async () => {
  const { found } = await made({ report: "plays", ...week, compare: "2026-09-01..2026-09-07" });
  expect(found).toMatchObject([{ plays: 420, plays_then: null, plays_change: null }]);
});

it("sorts and searches by compared figures", async () => {
  const words = { report: "plays", ...week, by: ["zone"], compare: "before" };
  const { found } = await made({ ...words, sort: "plays_change" });
  expect(found.map(({ plays_change }) => plays_change)).toEqual([-105, 0, 0, 0, 105]);
  expect((await made({ ...words, search: "zone 1" })).found).toMatchObject([
    { zone_id: 15, plays_then: 105 },
  ]);
});

it("compares in SQL that both engines accept", async () => {
  const database = await DuckDb.open();
  const statements: string[] = [];
  const stream: PublishedMart["stream"] = (sql, parameters) => {
    statements.push(sql);
    return demo.stream(sql, parameters);
  };
  for (const words of [
    { report: "plays", by: ["zone,date"] },
    { report: "plays", top: "5", by: ["item"] },
    { report: "plays", top: "5", by: ["item,zone"], per: ["zone"] },
    { report: "compliance", by: ["campaign,location"] },
    { report: "compliance", by: ["zone,week"] },
    { report: "uptime" },
  ])
    await runReport({ ...demo, stream }, parseReportOptions({ ...words, compare: "before" }), demoNow);
  expect(statements).toHaveLength(6);
  for (const sql of statements) expect(await findUnportable(database, sql)).toEqual([]);
  database.close();
});

it.each<[TypedOptions, string]>([
  [
    { report: "plays", ...week, by: ["date"], compare: "2026-10-01..2026-10-14" },
    "--compare by date needs periods of equal length: these have 7 and 14 days.",
  ],
  [
    { report: "plays", from: "1900-01-05", to: "2026-11-01", compare: "before" },
    "--compare before would go back before the dates that reports cover; the period starts on 1900-01-05.",
  ],
])("refuses %o", async (words, message) => {
  await expect(made(words)).rejects.toThrow(message);
});

it("names the zones that account for a change, and days without plays", async () => {
  const countIn = (zoneId: number, from: string) =>
    plays.filter((play) => play.zoneId === zoneId && play.local >= from && play.local < addDays(from, 7))
      .length;
  const changeOf = (zoneId: number) => countIn(zoneId, week.from) - countIn(zoneId, addDays(week.from, -7));
  const before = [11, 15].reduce((sum, zoneId) => sum + countIn(zoneId, addDays(week.from, -7)), 0);
  const percent = (change: number) => `${((Math.abs(change) / before) * 100).toFixed(1)} %`;
  expect(changeOf(15)).toBeLessThan(0);
  const request = { report: "plays", ...week, compare: "before" };
  const { notes } = await made({ ...request, zone: ["11,15"] });
  expect(notes.join(" ").replaceAll("\u00a0", " ")).toContain(
    ` Largest decrease: Zone 15 (${percent(changeOf(15))} of the earlier total; 7 days without plays).`,
  );
  expect((await made({ ...request, zone: ["14"] })).notes.join(" ")).not.toContain("Largest");
});
