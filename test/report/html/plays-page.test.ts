import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HeatMap, PerDayChart, RankingChart } from "../../../src/report/html/charts/chart.ts";
import { formatHtml } from "../../../src/report/html/render-report.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder, tempPrefix } from "../../support/temp-folder.ts";
import { pageOf, textOf } from "../page-of.ts";
import { generatePlays, itemName, publishedWorld, type WorldPlay } from "../plays-world.ts";
import { rowsOf } from "../report-rows.ts";

const plays = generatePlays();
let folder: string;
let mart: PublishedMart;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, publishedWorld("v000007", plays));
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

async function describePlays(words: Omit<TypedOptions, "report">) {
  return await describePage({ report: "plays", ...words });
}

async function describePage(words: TypedOptions, of = mart) {
  return await pageOf(of, parseReportOptions(words), pageNow);
}

function between(from: string, to: string): WorldPlay[] {
  return plays.filter(({ local }) => local.slice(0, 10) >= from && local.slice(0, 10) <= to);
}

function countBy(some: readonly WorldPlay[], keyOf: (play: WorldPlay) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const play of some) counts.set(keyOf(play), (counts.get(keyOf(play)) ?? 0) + 1);
  return counts;
}

function weekdayOf(local: string): string {
  return new Date(`${local}Z`).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
}

const pageNow = new Date("2026-11-21T12:00:00Z");

describe("plays page", () => {
  it.each<[label: string, words: Omit<TypedOptions, "report">]>([
    // The world has equally many plays every day.
    ["plays, compared with the previous period", { from: "2026-11-06", to: "2026-11-10" }],
    // Only songs count as short, and only plays of assets as complete.
    ["songs", { from: "2026-11-06", to: "2026-11-10", kind: ["music"] }],
    ["messages", { from: "2026-11-06", to: "2026-11-10", kind: ["messaging"] }],
    ["a week that is only partly in the period", { from: "2026-11-02", to: "2026-11-11", by: ["week"] }],
    ["days before the history as no data", { from: "2026-10-02", to: "2026-10-18", by: ["week"] }],
    ["no comparison with days before the history", { from: "2026-10-20", to: "2026-11-10" }],
    // The data is as of 21 November, 04:10 UTC: in zone 13 the 20th has not ended yet.
    ["a comparison of complete days, and none after them", { from: "2026-11-14", to: "2026-11-23" }],
    ["why a period after the data is empty", { from: "2026-11-22", to: "2026-11-23" }],
    ["why a period before the data is empty", { from: "2026-09-01", to: "2026-09-01" }],
    ["plays by campaign", { from: "2026-11-06", to: "2026-11-10", by: ["campaign"] }],
  ])("shows %s", async (_label, words) => {
    expect(textOf(await describePlays(words))).toMatchSnapshot();
  });

  it("shows 100 % for the most played items only if there are no others", async () => {
    const [play] = between("2026-11-06", "2026-11-06") as [WorldPlay];
    const all = Array.from({ length: 3_001 }, (_, index): WorldPlay => {
      const seconds = `${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`;
      return { ...play, itemId: index === 3_000 ? 11 : (index % 10) + 1, local: `2026-11-06T12:${seconds}` };
    });
    const own = createTempFolder();
    await publishFixture(own, publishedWorld("v000007", all));
    const other = await openPublished(own, { threads: 1 });
    try {
      const day = { report: "plays", from: "2026-11-06", to: "2026-11-06" };
      const { charts } = await describePage(day, other);
      expect(charts.at(-1)?.summary).toContain("99.9 % of all plays");
    } finally {
      other.close();
    }
  });

  it("counts each day and its counterpart in the previous period", async () => {
    const { charts } = await describePlays({ from: "2026-11-06", to: "2026-11-10", kind: ["music"] });
    const { days, daysBefore } = charts[0] as PerDayChart;
    const perDay = countBy(
      plays.filter(({ kind }) => kind === "music"),
      ({ local }) => local.slice(0, 10),
    );
    expect(days.map(({ date }) => date)).toEqual(
      [6, 7, 8, 9, 10].map((day) => `2026-11-${String(day).padStart(2, "0")}`),
    );
    for (const { date, value } of [...days, ...(daysBefore ?? [])])
      expect(value, date).toBe(perDay.get(date));
    expect(daysBefore?.map(({ date }) => date.slice(8))).toEqual(["01", "02", "03", "04", "05"]);
  });

  it.each([
    ["hour", "Plays per hour of the day", 24, (local: string) => String(Number(local.slice(11, 13)))],
    ["month", "Plays per month", 2, (local: string) => local.slice(0, 7)],
  ] as const)("draws each %s if it is a row", async (by, title, count, stepOf) => {
    const { charts } = await describePlays({ from: "2026-10-20", to: "2026-11-10", by: [by] });
    const [chart] = charts as PerDayChart[];
    expect([chart?.title, chart?.days.length]).toEqual([title, count]);
    const perStep = countBy(between("2026-10-20", "2026-11-10"), ({ local }) => stepOf(local));
    for (const { date, value } of chart?.days ?? [])
      expect([date, value]).toEqual([date, perStep.get(date) ?? 0]);
  });

  it.each([
    ["weekday,hour", (local: string) => weekdayOf(local), ["Monday", "Sunday"]],
    ["hour,date", (local: string) => local.slice(0, 10), ["2026-11-02", "2026-11-15"]],
  ])("draws a heat map by %s, in the order of time, with the hours across", async (by, lineOf, ends) => {
    const period = { from: "2026-11-02", to: "2026-11-15" };
    const map = (await describePlays({ ...period, by: [by] })).charts[0] as HeatMap;
    expect([map.kind, map.dates.length, map.rows[0]?.label, map.rows.at(-1)?.label]).toEqual([
      "heat-map",
      24,
      ...ends,
    ]);
    const counts = countBy(
      between(period.from, period.to),
      ({ local }) => `${lineOf(local)} ${Number(local.slice(11, 13))}`,
    );
    const drawn = map.cells.map(({ row, day, level, description }) => {
      const count = Number(/^[\d,]+/.exec(description)?.[0].replaceAll(",", ""));
      const range = (map.levels[level]?.label ?? "").split(" to ").map(Number);
      expect(count >= (range[0] ?? 0) && count <= (range.at(-1) ?? 0)).toBe(true);
      return [`${map.rows[row]?.label} ${day}`, count] as const;
    });
    expect(new Map(drawn)).toEqual(counts);
  });

  it("draws the busiest items first in a heat map, and none for one line", async () => {
    const period = { from: "2026-11-02", to: "2026-11-15" };
    const map = (await describePlays({ ...period, by: ["item,hour"] })).charts[0] as HeatMap;
    const counts = countBy(between(period.from, period.to), ({ kind, itemId }) => `${kind} ${itemId}`);
    expect(map.rows).toHaveLength(Math.min(40, counts.size));
    const sums = map.rows.map((_row, row) =>
      map.cells.reduce(
        (sum, cell) => sum + (cell.row === row ? Number.parseInt(cell.description, 10) : 0),
        0,
      ),
    );
    expect(sums).toEqual([...counts.values()].toSorted((a, b) => b - a).slice(0, 40));
    const one = await describePlays({ ...period, by: ["kind,hour"], kind: ["music"] });
    expect(one.charts.map(({ kind }) => kind)).not.toContain("heat-map");
  });

  it("shows the largest of two to four groups side by side, by rank", async () => {
    const pageOf = async (words: Partial<TypedOptions>) => {
      const requested = { report: "plays", by: ["kind,zone"], top: "2", format: "html", ...words };
      const report = await runReport(mart, parseReportOptions(requested), pageNow);
      let text = "";
      for await (const piece of formatHtml(report)) text += piece;
      return text;
    };
    const all = await rowsOf(
      await runReport(mart, parseReportOptions({ report: "plays", by: ["kind,zone"] }), pageNow),
    );
    const kinds = [...new Set(all.map(({ kind }) => String(kind)))].sort();
    const [, table = ""] =
      /Side by side<\/h2>.*?<table>(.*?)<\/table>/s.exec(await pageOf({ per: ["kind"] })) ?? [];
    const cells = [...table.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = ""]) =>
      cell
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">"),
    );
    const largest = (kind: string) =>
      all
        .filter((row) => row.kind === kind)
        .toSorted((a, b) => Number(b.plays) - Number(a.plays))
        .slice(0, 2);
    expect(cells).toEqual([
      "Rank",
      ...kinds.flatMap((kind) => [kind, "Plays"]),
      ...[0, 1].flatMap((rank) => [
        String(rank + 1),
        ...kinds.flatMap((kind) => {
          const row = largest(kind)[rank];
          return row ? [String(row.zone_name), Number(row.plays).toLocaleString("en-US")] : ["", ""];
        }),
      ]),
    ]);
    expect(await pageOf({ per: ["kind"], sort: "plays" })).not.toContain("Side by side");
    expect(await pageOf({ per: ["kind,zone"] })).not.toContain("Side by side");
  });

  it.each([
    [0, "No history has been loaded yet: `venue run` collects it, `venue load` loads it from files."],
    [1, "No plays from 24 October to 20 November 2026."],
  ])("explains why nothing played with %i loads", async (count, expected) => {
    const loads = [{ load_id: 1, source: "file", kind: "music", lines: 0, new_plays: 0 }];
    const folder = createTempFolder();
    await publishFixture(folder, {
      version: "v000006",
      dataAsOf: null,
      rows: { fact_load: loads.slice(0, count) },
    });
    const empty = await openPublished(folder, { threads: 1 });
    try {
      const { headline } = await describePage(
        { report: "plays", from: "2026-10-24", to: "2026-11-20" },
        empty,
      );
      expect(headline).toBe(expected);
    } finally {
      empty.close();
    }
  });

  it("shows each item's change since the compared period", async () => {
    const { charts } = await describePlays({
      ...{ from: "2026-11-06", to: "2026-11-10", by: ["zone"], compare: "2026-10-20..2026-10-24" },
    });
    const { rows, summary } = charts.at(-1) as RankingChart;
    expect(summary).toContain("Compared with 2026-10-20 to 2026-10-24.");
    const keyOf = ({ kind, itemId }: WorldPlay) => `${itemName(kind, itemId)} (${kind})`;
    const before = countBy(between("2026-10-20", "2026-10-24"), keyOf);
    for (const { label, value, change = "" } of rows) {
      const then = before.get(label) ?? 0;
      const percent = `${value > then ? "+" : "-"}${((100 * Math.abs(value - then)) / then).toFixed(1)} %`;
      expect([label, change.replace("\u00a0", " ")]).toEqual([
        label,
        then === 0 ? "new" : value === then ? "no change" : percent,
      ]);
    }
    expect(new Set(rows.map(({ change }) => change)).size).toBeGreaterThan(2);
    const { charts: plain } = await describePlays({ from: "2026-11-06", to: "2026-11-10" });
    expect((plain.at(-1) as RankingChart).rows.every(({ change }) => change === undefined)).toBe(true);
  });

  it("ranks the most played items, whatever the table's limit", async () => {
    const { charts } = await describePlays({ from: "2026-10-12", to: "2026-11-20", by: ["zone"], top: "1" });
    const counts = countBy(plays, ({ kind, itemId }) => `${itemName(kind, itemId)} (${kind})`);
    const largest = [...counts.values()].sort((a, b) => b - a).slice(0, 10);
    const { rows } = charts[1] as RankingChart;
    expect(rows.map(({ value }) => value)).toEqual(largest);
    for (const { label, value } of rows) expect(counts.get(label), label).toBe(value);
  });
});

describe("single plays page", () => {
  const period = { from: "2026-11-06", to: "2026-11-10" };
  const drawn = async (words: Partial<TypedOptions>) => {
    const page = await describePage({ report: "single-plays", ...period, ...words });
    const charts = (page.charts as RankingChart[]).map(
      ({ title, rows }) => [title, rows.map(({ value }) => value)] as const,
    );
    return { heading: page.heading, charts: Object.fromEntries(charts) };
  };
  const countsOf = (some: readonly WorldPlay[], keyOf: (play: WorldPlay) => string) =>
    [...countBy(some, keyOf).values()].sort((a, b) => b - a);

  it("names a song, its zones and its artists", async () => {
    const of = between(period.from, period.to).filter(({ kind, itemId }) => kind === "music" && itemId === 6);
    expect(await drawn({ kind: ["music"], item: ["6"] })).toEqual({
      heading: "music item 6",
      charts: {
        "Plays by zone": countsOf(of, ({ zoneId }) => String(zoneId)),
        "Plays by artist": countsOf(of, ({ artistId }) => String(artistId)),
      },
    });
  });

  it("names an artist, its zones and its songs", async () => {
    const of = between(period.from, period.to).filter(({ artistId }) => artistId === 1);
    expect(await drawn({ artist: ["1"] })).toEqual({
      heading: "Artist 1",
      charts: {
        "Plays by zone": countsOf(of, ({ zoneId }) => String(zoneId)),
        "Plays by item": countsOf(of, ({ itemId }) => String(itemId)),
      },
    });
  });

  it("draws nothing for all plays, and no zones if one is chosen", async () => {
    expect(await drawn({ zone: ["11"] })).toEqual({ heading: undefined, charts: {} });
    const one = await drawn({ zone: ["11"], artist: ["1"] });
    expect(Object.keys(one.charts)).toEqual(["Plays by item"]);
  });
});
