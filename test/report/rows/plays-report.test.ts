import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDrillDown } from "../../../src/report/address/drill-down.ts";
import { formatTable } from "../../../src/report/format/table/format-table.ts";
import { formatCsv, formatMarkdown } from "../../../src/report/format/text-formats.ts";
import { formatHtml } from "../../../src/report/html/render-report.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import type { Report } from "../../../src/report/result-types.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays } from "../../../src/util/local-date.ts";
import { itEachSampled } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import {
  artistName,
  assetDurations,
  generatePlays,
  itemName,
  kindNumbers,
  openings,
  publishedWorld,
  type WorldPlay,
  zones,
} from "../plays-world.ts";
import { otherMeasures, rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const plays = generatePlays();
const wholePeriod = { from: "2026-10-12", to: "2026-11-20" };

let folder: string;
let mart: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  const { rows, ...world } = publishedWorld("v000001", plays);
  const hours = { zone_id: 14, day_of_week: 1, opens_secs: 8 * 3600, closes_secs: 25 * 3600 };
  await publishFixture(folder, {
    ...world,
    rows: { ...rows, fact_zone_opening: openings, dim_opening_hours: [hours] },
  });
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

/** Compares rows with the list of plays; other measures have their own cases (`test/fixtures/models`). */
async function report(words: Omit<TypedOptions, "report">) {
  const result = await runReport(mart, parseReportOptions({ report: "plays", ...words }), now);
  const rows = await rowsOf(result, { but: otherMeasures("plays", Object.keys(noPlays)) });
  return { ...result, rows };
}

type Place = {
  groupId: number | null;
  groupIds: readonly number[];
  locationId: number | null;
  zoneName: string;
};

/** Columns of each word of `--by` for a play, in column order. */
const labels: Record<string, (play: WorldPlay, place: Place) => Record<string, unknown>> = {
  kind: ({ kind }) => ({ kind }),
  group: (_play, { groupId }) => ({
    group_id: groupId,
    group_name: groupId === null ? null : groupId === 1 ? "Bars" : "Group 2",
  }),
  location: (_play, { locationId }) => ({
    location_id: locationId,
    location_name: locationId === null ? null : `Location ${locationId}`,
  }),
  zone: ({ zoneId }, { zoneName }) => ({ zone_id: zoneId, zone_name: zoneName }),
  item: ({ kind, itemId }) => ({
    kind,
    item_key: itemId * 4 + kindNumbers[kind],
    item_id: itemId,
    item_name: itemName(kind, itemId),
  }),
  artist: ({ artistId }) => ({
    artist_id: artistId,
    artist_name: artistId === null ? null : artistName(artistId),
  }),
  date: ({ local }) => ({ date: local.slice(0, 10) }),
  week: ({ local }) => ({ week: isoWeek(local.slice(0, 10)) }),
  month: ({ local }) => ({ month: local.slice(0, 7) }),
  hour: ({ local }) => ({ hour: Number(local.slice(11, 13)) }),
};

const noPlays = {
  plays: 0,
  play_seconds: 0,
  // Music has no known length, and only music is cut short.
  complete_plays: null as number | null,
  measured_plays: null as number | null,
  short_plays: null as number | null,
  zones: 0,
  items: 0,
};

/** Counts directly from the list of plays, without SQL or days. */
function count(
  by: readonly string[],
  keep: (play: WorldPlay, place: Place) => boolean = () => true,
): Record<string, unknown>[] {
  const rows = new Map<string, Record<string, unknown> & { zones: Set<number>; items: Set<string> }>();
  for (const play of plays) {
    const zone = zones.find(({ zoneId }) => zoneId === play.zoneId);
    if (!zone) throw new Error(`no zone ${play.zoneId}`);
    const groups: readonly (number | null)[] =
      by.includes("group") && zone.groupIds.length > 0 ? zone.groupIds : [null];
    for (const groupId of groups) {
      const place = { ...zone, groupId };
      if (!keep(play, place)) continue;
      const keys = Object.assign({}, ...by.map((word) => labels[word]?.(play, place)));
      const key = JSON.stringify(keys);
      const row = rows.get(key) ?? {
        ...keys,
        ...noPlays,
        zones: new Set<number>(),
        items: new Set<string>(),
      };
      const length = assetDurations[`${play.kind} ${play.itemId}`];
      row.plays += 1;
      row.play_seconds += play.durationSecs;
      if (play.kind === "music") row.short_plays = (row.short_plays ?? 0) + (play.durationSecs < 30 ? 1 : 0);
      else row.measured_plays = (row.measured_plays ?? 0) + (length === undefined ? 0 : 1);
      if (length !== undefined) {
        row.complete_plays = (row.complete_plays ?? 0) + (play.durationSecs >= length - 1 ? 1 : 0);
      }
      row.zones.add(play.zoneId);
      row.items.add(`${play.kind} ${play.itemId}`);
      rows.set(key, row);
    }
  }
  return [...rows.values()].map(({ zones: inZones, items, ...row }) => ({
    ...row,
    ...(!by.includes("zone") && { zones: inZones.size }),
    ...(!by.includes("item") && { items: items.size }),
  }));
}

/** A week belongs to the year of its Thursday. */
function isoWeek(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const start = Date.UTC(day.getUTCFullYear(), 0, 1);
  const week = Math.ceil(((day.getTime() - start) / 86_400_000 + 1) / 7);
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

describe("figures", () => {
  it.each([
    [[]],
    ...Object.keys(labels).map((word) => [[word]]),
    [["kind", "zone"]],
    [["group", "week"]],
    [["location", "month"]],
    [["zone", "date"]],
    [["item", "artist"]],
    [["group", "zone", "hour"]],
    [["week", "month"]],
    [["kind", "group", "location", "zone", "item", "artist", "date", "week", "month", "hour"]],
  ])("--by %j", async (by) => {
    const { rows } = await report({ ...wholePeriod, by });
    expect(sorted(rows)).toEqual(sorted(count(by)));
  });

  it.each<[string, Omit<TypedOptions, "report">, (play: WorldPlay, place: Place) => boolean]>([
    ["--zone", { zone: ["11", "14"] }, ({ zoneId }) => zoneId === 11 || zoneId === 14],
    ["--location", { location: ["1"] }, (_play, { locationId }) => locationId === 1],
    ["--kind", { kind: ["signage,messaging"] }, ({ kind }) => kind !== "music"],
    ["--group", { group: ["2"] }, (_play, { groupIds }) => groupIds.includes(2)],
    ["two groups", { group: ["1,2"] }, (_play, { groupIds }) => groupIds.length > 0],
    [
      "group and kind",
      { group: ["1"], kind: ["music"] },
      ({ kind }, { groupIds }) => kind === "music" && groupIds.includes(1),
    ],
  ])("%s", async (_label, words, keep) => {
    for (const by of [["zone"], ["item"], ["hour"]]) {
      const { rows } = await report({ ...wholePeriod, ...words, by });
      expect(sorted(rows)).toEqual(sorted(count(by, keep)));
    }
  });

  it("a zone in two groups counts once in a total over groups, and in each row by group", async () => {
    const total = await report({ ...wholePeriod, group: ["1", "2"] });
    expect(total.rows[0]).toMatchObject(count([], (_play, { groupIds }) => groupIds.length > 0)[0] ?? {});
    expect(total.rows).toHaveLength(1);
    const { rows } = await report({ ...wholePeriod, group: ["1", "2"], by: ["group"] });
    expect(rows.map(({ group_id, zones }) => [group_id, zones])).toEqual([
      [1, 3],
      [2, 2],
    ]);
  });

  it("by group with one chosen group shows only that group", async () => {
    const { rows } = await report({ ...wholePeriod, group: ["2"], by: ["group"] });
    expect(sorted(rows)).toEqual(sorted(count(["group"], (_play, { groupId }) => groupId === 2)));
  });

  it("counts plays on both sides of a clock change by their local date", async () => {
    const day = { from: "2026-10-25", to: "2026-10-25" };
    const { rows } = await report({ ...day, by: ["zone", "hour"] });
    expect(sorted(rows)).toEqual(
      sorted(count(["zone", "hour"], ({ local }) => local.startsWith("2026-10-25"))),
    );
  });

  it("reads dates as inclusive", async () => {
    const { rows } = await report({ from: "2026-11-02", to: "2026-11-04", by: ["date"] });
    expect(rows.map(({ date }) => date)).toEqual(["2026-11-02", "2026-11-03", "2026-11-04"]);
  });

  it("an empty total is a row of zeros, and no rows with --by", async () => {
    const empty = { from: "2025-01-01", to: "2025-01-02" };
    const total = await report(empty);
    expect(total.rows).toEqual([noPlays]);
    expect(total.notes).toEqual([
      "No plays from 2025-01-01 to 2025-01-02: plays range from 2026-10-12 to 2026-11-20.",
    ]);
    expect((await report({ ...empty, by: ["zone"] })).rows).toEqual([]);
  });
});

it("leaves meaningless values blank, and hides columns that can only be 1", async () => {
  const music = await report({ ...wholePeriod, by: ["kind", "zone"], zone: ["11"] });
  expect(
    music.rows.map(({ kind, complete_plays, measured_plays }) => [
      kind,
      complete_plays === null,
      measured_plays === null,
    ]),
  ).toEqual([
    ["messaging", false, false],
    ["music", true, true],
    ["signage", false, false],
  ]);
  expect(music.rows.map(({ kind, short_plays }) => [kind, short_plays === null])).toEqual([
    ["messaging", true],
    ["music", false],
    ["signage", true],
  ]);
  const names = music.columns.map(({ name }) => name);
  expect([names.includes("zones"), names.includes("items")]).toEqual([false, true]);
  const { columns } = await report({ ...wholePeriod, by: ["item"] });
  expect(columns.map(({ name }) => name)).not.toContain("items");
});

describe("partial weeks and months", () => {
  const text = async (
    words: Omit<TypedOptions, "report">,
    format: (report: Report) => AsyncIterable<string>,
  ) => {
    const result = await runReport(mart, parseReportOptions({ report: "plays", ...words }), now);
    let written = "";
    for await (const piece of format(result)) written += piece;
    return { written, notes: result.notes };
  };

  it("are marked for readers, with a note", async () => {
    const words = { from: "2026-11-07", to: "2026-11-16", by: ["week"] };
    const note = "2026-W45 (2 of 7 days) and 2026-W47 (1 of 7 days) are only part of a week.";
    for (const format of [formatMarkdown, (report: Report) => formatHtml(report, {})]) {
      const { written, notes } = await text(words, format);
      expect(notes).toEqual([note]);
      expect(written).toContain("2026-W45 (2 of 7 days)");
      expect(written).not.toContain("2026-W46 (");
    }
    const { written } = await text(words, formatCsv);
    expect(written).toMatch(/\r\n2026-W45,/);
    expect((await text({ ...words, by: ["month"] }, formatCsv)).notes).toEqual([
      "2026-11 (10 of 30 days) is only part of a month.",
    ]);
  });

  it("include those in which the data ends", async () => {
    const { notes } = await text({ from: "2026-11-09", to: "2026-11-22", by: ["week"] }, formatCsv);
    expect(notes).toEqual(["2026-W47 (4 of 7 days) is only part of a week."]);
  });
});

it("marks a day with partial data for readers", async () => {
  const words = { report: "plays", from: "2026-11-19", to: "2026-11-22", by: ["date"] };
  const shown = async (format: (report: Report) => AsyncIterable<string>) => {
    let written = "";
    for await (const piece of format(await runReport(mart, parseReportOptions(words), now))) written += piece;
    return written;
  };
  const terminal = (report: Report) => formatTable(report, { isTerminal: true });
  for (const format of [formatMarkdown, terminal, (report: Report) => formatHtml(report, {})])
    expect((await shown(format)).match(/[-\d]+ \(part\)/g)).toEqual(["2026-11-20 (part)"]);
  for (const format of [formatCsv, formatTable]) expect(await shown(format)).not.toContain("(part)");
});

describe("order", () => {
  it("--top shows the largest first, and equal ones by key", async () => {
    const all = count(["item", "zone"]) as { plays: number; zone_id: number; item_key: number }[];
    const expected = all.sort(
      (a, b) => b.plays - a.plays || a.zone_id - b.zone_id || a.item_key - b.item_key,
    );
    const { rows, filters } = await report({ ...wholePeriod, by: ["item", "zone"], top: "7" });
    expect(rows.map(({ zone_id, item_key, plays }) => ({ zone_id, item_key, plays }))).toEqual(
      expected.slice(0, 7).map(({ zone_id, item_key, plays }) => ({ zone_id, item_key, plays })),
    );
    expect(filters).toEqual(["the 7 largest"]);
  });

  itEachSampled(
    ["item,zone", "artist,week", "item", "artist", "zone", "group", "date", "hour", "kind,date"],
    2,
  )("--top counts zones and items of its rows as among all rows: %s", async (words) => {
    const random = randomNumbers(words.length);
    const by = words.split(",");
    for (const filter of [{}, { group: ["2"] }, { kind: ["music"] }, { zone: ["11", "13"] }]) {
      const [from, to] = [addDays(wholePeriod.from, random(10)), addDays(wholePeriod.to, -random(10))];
      const all = (await report({ from, to, ...filter, by })).rows.map((row) => JSON.stringify(row));
      const top = (await report({ from, to, ...filter, by, top: "4" })).rows;
      expect(top).toHaveLength(Math.min(4, all.length));
      expect(all).toEqual(expect.arrayContaining(top.map((row) => JSON.stringify(row))));
    }
  });
});

describe("heading", () => {
  it("covers the 28 days up to the last complete day: the 20th, because of zone 13", async () => {
    const { period, dataAsOf, version } = await report({});
    expect({ period, dataAsOf, version }).toEqual({
      period: { from: "2026-10-23", to: "2026-11-19" },
      dataAsOf: "2026-11-21T04:10:00Z",
      version: "v000001",
    });
  });

  it("names the filters, however many", async () => {
    const few = await report({ zone: ["11", "bar,Silent"], group: ["Bars"], kind: ["music"] });
    expect(few.filters).toEqual(["group 1 (Bars)", "zone 11 (Bar) and 16 (Silent)", "kind music"]);
    const many = await report({ zone: zones.map(({ zoneId }) => String(zoneId)) });
    expect(many.filters).toEqual(["zone 11 (Bar), 12 (=Gym()), 13 (Shop | <b>) and 3 more"]);
  });
});

it.each([
  [{ within: "200", ...wholePeriod }, 200],
  [{ within: "120", from: "2026-10-25", to: "2026-10-26" }, 120],
])("repeats are plays of an item again in its zone: %j", async (words, minutes) => {
  const options = parseReportOptions({ report: "repeats", by: ["zone,item,weekday"], ...words });
  const rows = await rowsOf(await runReport(mart, options, now));
  const counted = new Map<string, [repeats: number, shortest: number]>();
  const before = new Map<string, number>();
  for (const { kind, zoneId, itemId, local, offsetMinutes } of plays) {
    const at = Date.parse(`${local}Z`) - offsetMinutes * 60_000;
    const played = `${zoneId} ${kind} ${itemId}`;
    const gap = (at - (before.get(played) ?? Number.NEGATIVE_INFINITY)) / 1000;
    before.set(played, at);
    if (gap > minutes * 60 || local < words.from || local.slice(0, 10) > words.to) continue;
    const weekday = new Date(`${local}Z`).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
    const [repeats, shortest] = counted.get(`${played} ${weekday}`) ?? [0, gap];
    counted.set(`${played} ${weekday}`, [repeats + 1, Math.min(shortest, gap)]);
  }
  const found = rows.map((row) => [
    `${row.zone_id} ${row.kind} ${row.item_id} ${row.weekday}`,
    [row.repeats, row.shortest_gap_seconds],
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counted));
  expect(counted.size).toBeGreaterThan(5);
});

it("--only outside_hours counts plays outside the openings of zones whose hours are known", async () => {
  const options = parseReportOptions({
    report: "plays",
    by: ["zone,item,date,hour"],
    only: ["outside_hours"],
    ...wholePeriod,
  });
  const outside = await runReport(mart, options, now);
  const rows = await rowsOf(outside);
  const counted = new Map<string, number>();
  for (const { kind, zoneId, itemId, local } of plays) {
    const hour = Number(local.slice(11, 13));
    const minute = hour * 60 + Number(local.slice(14, 16));
    // Only zone 14's hours are given.
    const extra = zoneId === 14 ? 0 : 15;
    if ((zoneId !== 14 && zoneId !== 15) || minute >= 480 - extra || minute < 60 + extra) continue;
    const key = [zoneId, kind, itemId, local.slice(0, 10), hour].join(" ");
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const found = rows.map((row) => [
    [row.zone_id, row.kind, row.item_id, row.date, row.hour].join(" "),
    row.plays,
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counted));
  expect(counted.size).toBeGreaterThan(100);
  expect(outside.notes).toEqual([
    "The opening hours of 1 of 2 zones are learnt from their plays, so 15 minutes before and after them are not treated as outside; reference/opening_hours.csv can give them.",
  ]);
  const week = { report: "plays" as const, from: "2026-11-14", to: "2026-11-20", only: ["outside_hours"] };
  const compared = await runReport(mart, parseReportOptions({ ...week, compare: "before" }), now);
  const [total] = await rowsOf(compared);
  expect(total?.plays).toBeLessThan(100);
  expect(compared.comparison?.summary).toContain(`: ${total?.plays} from 14 November`);
  const zone = { zone_id: 14, zone_name: "Zone 14" };
  expect(createDrillDown(options, wholePeriod, ["zone"], zone)).toMatchObject({
    view: "plays",
    words: { zone: "14", by: "date", only: "outside_hours" },
  });
  const day = createDrillDown(options, wholePeriod, ["zone", "date"], { ...zone, date: "2026-11-02" });
  expect([day.view, day.words.only]).toEqual(["single-plays", undefined]);
  expect(() => parseReportOptions({ report: "plays", by: ["campaign"], only: ["outside_hours"] })).toThrow(
    "--only",
  );
});
