import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { formatXlsx } from "../../../src/report/format/xlsx/format-xlsx.ts";
import type { HeatMap, PerDayChart, RankingChart } from "../../../src/report/html/charts/chart.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { formatHtml } from "../../../src/report/html/render-report.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { ReportWords } from "../../../src/report/options/parse-request.ts";
import { findOwnReport } from "../../../src/report/own/list-own-reports.ts";
import type { OwnReport } from "../../../src/report/own/own-report.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { listDaysBetween } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { attributedPlays, attributedWorld, genres, period, regionOf } from "../attributed-world.ts";
import { kindNumbers, zones } from "../plays-world.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T12:00:00Z");
let folder: string;
let mart: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  await publishFixture(folder, attributedWorld());
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

const days = listDaysBetween(period.from, period.to);
const plays = attributedPlays
  .map((play) => ({ ...play, date: play.local.slice(0, 10) }))
  .filter(({ date }) => days.includes(date));
const genreOf = ({ kind, itemId }: (typeof plays)[number]) =>
  genres.find(({ key }) => key === itemId * 4 + kindNumbers[kind])?.value ?? "(none)";

function countBy<One>(all: readonly One[], keyOf: (one: One) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
  return counts;
}

async function run(words: ReportWords) {
  return await runReport(
    mart,
    parseReportOptions({ ...(words.report !== "devices" && period), ...words }),
    now,
  );
}

async function pageOf(words: ReportWords) {
  const report = await run({ ...words, format: "html" });
  await rowsOf(report);
  const page = await describePage(report);
  if (!page) throw new Error("a report has a page");
  const chart = <Chart>(title: string) => page.charts.find((one) => one.title === title) as Chart | undefined;
  return { ...page, notes: report.notes, chart };
}

const bars = (chart: RankingChart | undefined) =>
  Object.fromEntries(chart?.rows.map(({ label, value }) => [label, value]) ?? []);

describe("the page of plays", () => {
  it("ranks the values of each attribute, and counts days and items as without it", async () => {
    const { chart, headline, coverage } = await pageOf({ report: "plays", by: ["region", "genre"] });
    expect(bars(chart("Plays by region"))).toEqual(
      countBy(plays, ({ zoneId, date }) => regionOf(zoneId, date)),
    );
    expect(bars(chart("Plays by genre"))).toEqual(countBy(plays, genreOf));
    const { days: drawn = [] } = chart<PerDayChart>("Plays per day") ?? {};
    expect(Object.fromEntries(drawn.map(({ date, value }) => [date, value]))).toEqual(
      countBy(plays, ({ date }) => date),
    );
    expect(headline).toMatch(`${plays.length.toLocaleString("en")} plays of 18 different items in 5 zones`);
    expect(coverage).toBe("plays from 5 of 6 zones, on 28 of 28 days");
  });

  it("counts only what a filter leaves, zone days and items alike", async () => {
    const where = ["region=North", "genre=jazz"];
    const { chart, headline, coverage } = await pageOf({ report: "plays", by: ["region"], where });
    const left = plays.filter(
      (play) => regionOf(play.zoneId, play.date) === "North" && genreOf(play) === "Jazz",
    );
    const { days: drawn = [] } = chart<PerDayChart>("Plays per day") ?? {};
    expect(Object.fromEntries(drawn.flatMap(({ date, value }) => (value ? [[date, value]] : [])))).toEqual(
      countBy(left, ({ date }) => date),
    );
    expect(bars(chart("Most played"))).toEqual(countBy(left, ({ itemId }) => `music item ${itemId} (music)`));
    expect(headline).toMatch(`${left.length} plays of 3 different items in 2 zones`);
    // A part of the zones is not compared with all of them, and one value is not ranked.
    expect(coverage).toMatch(/^plays from 2 zones, /);
    expect(chart("Plays by region")).toBeUndefined();
  });
});

describe("the page of compliance", () => {
  it("ranks missed days, and draws the campaigns and zones of a filter alone", async () => {
    const all = await pageOf({ report: "compliance", by: ["region", "advertiser"] });
    expect(bars(all.chart("Missed days by region"))).toEqual({
      ...Object.fromEntries(["North", "East, far", "(none)"].map((region) => [region, 0])),
      "<b>O'Brien</b>": days.length,
    });
    expect(all.chart("Missed days by advertiser")).toBeUndefined();
    const { chart, headline } = await pageOf({ report: "compliance", where: ["region=North"] });
    const north = zones.flatMap(({ zoneId }) =>
      days.filter((date) => regionOf(zoneId, date) === "North").map((date) => ({ zoneId, date })),
    );
    expect(headline).toMatch(`${north.length} of ${north.length} scheduled zone days ran`);
    const { rows = [], cells = [] } = chart<HeatMap>("Zones day by day") ?? {};
    expect(countBy(cells, ({ row }) => rows[row]?.label ?? "")).toEqual(
      countBy(north, ({ zoneId }) => zones.find((zone) => zone.zoneId === zoneId)?.zoneName ?? ""),
    );
  });
});

describe("the pages of devices", () => {
  it("ranks downtime, and draws the devices of a filter alone", async () => {
    const { chart } = await pageOf({ report: "uptime", by: ["region"] });
    expect(bars(chart("Downtime by region"))["<b>O'Brien</b>"]).toBe(days.length * 86_400);
    const filtered = await pageOf({ report: "uptime", by: ["region"], where: ["region=North"] });
    expect(filtered.headline).toMatch(/^3 devices were up 100\.0 % of monitored time/);
    expect(
      filtered
        .chart<HeatMap>("Devices day by day")
        ?.rows.map(({ label }) => label)
        .sort(),
    ).toEqual(["=Gym()", "Bar", "Silent"]);
  });

  it("counts the states of a filter's devices, by the values as of the data", async () => {
    const stateOf = async (...where: string[]) => (await pageOf({ report: "devices", where })).headline;
    expect(await stateOf("region=East, far")).toMatch(/^0 of 2 devices are down/);
    expect(await stateOf("region=<b>O'Brien</b>")).toMatch(/^1 of 1 device is down/);
    expect(await stateOf("region=(none)", "store_manager=Ann")).toBe(
      "No device has been checked yet in these zones.",
    );
    // Zone 16 had no region on some days of the usual period.
    const none = await pageOf({ report: "devices", where: ["region=(none)"] });
    expect([none.headline, none.charts]).toEqual([expect.stringMatching(/^0 of 1 device is down/), []]);
    const north = await pageOf({ report: "devices", where: ["region=North"] });
    expect(bars(north.chart("Down longest"))).toEqual({ Silent: 86_400 });
  });
});

describe("an own report", () => {
  const own = (name: string, sql: string) => {
    const folder = mkdtempSync(join(tmpdir(), tempPrefix));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "reports"));
    writeFileSync(join(folder, "reports", `${name}.sql`), sql);
    return findOwnReport(folder, name) as OwnReport;
  };

  it.each([
    ["without a period", "select zone_id from chosen_zone order by zone_id", [11, 16]],
    [
      "with a period",
      "select distinct z.zone_id from chosen_zone as z cross join period order by 1",
      [11, 12, 16],
    ],
  ])("%s has the values of the data or of any day", async (_which, sql, zoneIds) => {
    const report = await runReport(
      mart,
      parseReportOptions({ report: "stores", own: own("stores", sql), where: ["region=North"] }),
      now,
    );
    expect((await rowsOf(report)).map(({ zone_id }) => zone_id)).toEqual(zoneIds);
  });
});

describe("notes", () => {
  it.each<[ReportWords, string[]]>([
    [{ report: "plays", by: ["region"] }, ["2 of 6 zones have no region, 1 of them only on some days."]],
    [{ report: "plays", by: ["region"], from: "2026-11-10" }, ["1 of 6 zones has no region."]],
    [
      { report: "plays", by: ["store_manager", "genre"], kind: ["music"], zone: ["11,14"] },
      ["1 of 2 zones has no store manager.", "2 of 6 items have no genre."],
    ],
    [
      { report: "single-plays", kind: ["music"], item: ["4,5"], where: ["genre=Rock"] },
      ["1 of 2 items has no genre."],
    ],
    [{ report: "compliance", where: ["advertiser=Acme"] }, ["1 of 2 campaigns has no advertiser."]],
    [
      { report: "outages", zone: ["16"], where: ["region=North"] },
      ["1 of 1 zone has no region on some days."],
    ],
    [{ report: "devices", zone: ["16"], where: ["region=North"] }, []],
    [{ report: "plays", by: ["zone"] }, []],
  ])("%j", async (words, notes) => {
    const report = await run(words);
    await rowsOf(report);
    expect(report.notes.filter((note) => / ha(s|ve) no /.test(note))).toEqual(notes);
  });
});

describe("files", () => {
  const words = { report: "plays", by: ["store_manager"] };

  it("a page names attributes as sentences do", async () => {
    let text = "";
    for await (const piece of formatHtml(
      await run({ ...words, where: ["region=North", "region=East, far"], format: "html" }),
    ))
      text += piece;
    expect(text).toContain("<h1>Plays by store manager</h1>");
    expect(text).toContain("· region North or East, far<");
    expect(text).toMatch(/<th scope="col"[^>]*>Store manager</);
  });

  it("a workbook lists the filters, and has the values as texts", async () => {
    const pieces: Uint8Array[] = [];
    const report = await run({ ...words, where: ["region=North", "region=East, far"], format: "xlsx" });
    for await (const piece of formatXlsx(report)) pieces.push(piece);
    const { sheets } = await readXlsx(Buffer.concat(pieces));
    expect(sheets[0]?.rows.map(([name]) => name)).toEqual(["Store manager", "(none)", "Ann"]);
    expect(sheets[1]?.rows).toContainEqual(["only", "region North or East, far"]);
  });
});
