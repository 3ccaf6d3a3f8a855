import { beforeAll, expect, it, onTestFinished } from "vitest";
import { formatMarkdown } from "../../../src/report/format/text-formats.ts";
import type { HeatMap, RankingChart } from "../../../src/report/html/charts/chart.ts";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";

const zone = (zone_id: number, zone_name: string, location_id: number | null) => ({
  ...{ zone_id, zone_name, location_id },
  ...{ time_zone: "UTC", first_play_date: "2026-11-09", last_play_date: "2026-11-09" },
});
const campaign = (campaign_id: number, kind: "signage" | "messaging", campaign_name: string) => ({
  ...{ campaign_id, kind, campaign_name },
  campaign_key: campaign_id * 4 + (kind === "signage" ? 1 : 2),
});
const zones = [
  zone(11, "Bar", 1),
  zone(12, "Bar", 2),
  zone(13, "Gym", 1),
  zone(14, "Gym", 1),
  zone(15, "Shop", 1),
  zone(16, "Lobby", null),
  zone(17, "Lobby", 1),
];
const campaigns = [
  campaign(5, "signage", "Late Night"),
  campaign(5, "messaging", "Late Night"),
  campaign(6, "signage", "Lunch"),
];
const item = (item_id: number, item_name: string) => ({
  item_key: item_id * 4,
  kind: "music",
  item_id,
  item_name,
});

/** Zones, campaigns and songs, some with equal names; all of them played, and missed, on 9 November. */
let folder: string;
beforeAll(async () => {
  folder = await shareFolder("equal names", (own) =>
    publishFixture(own, {
      version: "v000001",
      dataAsOf: "2026-11-21T03:00:00Z",
      rows: {
        dim_zone: zones,
        dim_location: [
          { location_id: 1, location_name: "Main Street", city: "Oslo" },
          { location_id: 2, location_name: "Harbour", city: "Oslo" },
        ],
        dim_campaign: campaigns,
        dim_item: [item(1, "Intro"), item(2, "Intro"), item(3, "Outro")],
        fact_play_day: zones.flatMap(({ zone_id }) =>
          [1, 2, 3].map((id) => ({
            ...{ kind: "music", zone_id, item_key: id * 4, date: "2026-11-09" },
            ...{ plays: 1, play_seconds: 60, complete_plays: 0, measured_plays: 0, short_plays: 0 },
          })),
        ),
        fact_campaign_zone_day: campaigns.flatMap(({ campaign_key, kind }) =>
          zones.map(({ zone_id }) => ({
            campaign_key,
            kind,
            zone_id,
            date: "2026-11-09",
            state: "missed",
            is_assumed: false,
          })),
        ),
      },
    }),
  );
});

async function reportOf(words: TypedOptions) {
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const request = parseReportOptions({ from: "2026-11-09", to: "2026-11-09", ...words });
  return await runReport(mart, request, new Date("2026-11-21T12:00:00Z"));
}

async function cellsOf(words: TypedOptions, column: string): Promise<string[]> {
  const report = await reportOf(words);
  let text = "";
  for await (const piece of formatMarkdown(report)) text += piece;
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  const position = report.columns.findIndex(({ name }) => name === column) + 1;
  return lines.slice(2).map((line) => line.split("|")[position]?.trim() ?? "");
}

it("distinguishes zones of the same name by location, or else by id", async () => {
  expect(await cellsOf({ report: "plays", by: ["zone"] }, "zone_name")).toEqual([
    "Bar (Main Street)",
    "Bar (Harbour)",
    "Gym (Main Street, 13)",
    "Gym (Main Street, 14)",
    "Shop",
    "Lobby (16)",
    "Lobby (Main Street)",
  ]);
});

it("distinguishes campaigns of the same name by kind and id", async () => {
  expect(await cellsOf({ report: "compliance", by: ["campaign"] }, "campaign_name")).toEqual([
    "Late Night (messaging 5)",
    "Late Night (signage 5)",
    "Lunch",
  ]);
});

it("distinguishes them in charts", async () => {
  const compliance = await describePage(await reportOf({ report: "compliance" }));
  const [ofCampaigns, ofZones] = (compliance?.charts ?? []) as [HeatMap, HeatMap];
  expect(ofCampaigns.rows.map(({ label }) => label).sort()).toEqual([
    "Late Night (messaging 5)",
    "Late Night (signage 5)",
    "Lunch (signage)",
  ]);
  const zones = ofZones.rows.map(({ label }) => label);
  expect(zones).toContain("Bar (Harbour)");
  expect(zones).toContain("Shop");
  const plays = await describePage(await reportOf({ report: "plays" }));
  const songs = plays?.charts[1] as RankingChart;
  expect(songs.rows.map(({ label }) => label)).toEqual([
    "Intro (music 1)",
    "Intro (music 2)",
    "Outro (music)",
  ]);
});

it("leaves names unchanged for programs", async () => {
  const names = new Set<unknown>();
  const report = await reportOf({ report: "plays", by: ["zone"] });
  for await (const row of report.rows) names.add(row[1]);
  expect([...names]).toEqual(["Bar", "Gym", "Shop", "Lobby"]);
});

it.each(["csv", "xlsx"])("%s has each zone's location as its last column", async (format) => {
  const { columns, rows } = await reportOf({ report: "plays", by: ["zone"], format });
  const names = columns.map(({ name }) => name);
  expect([names.slice(0, 2), names.at(-1)]).toEqual([["zone_id", "zone_name"], "location_name"]);
  const found: unknown[] = [];
  for await (const row of rows) found.push([row[0], row.at(-1)]);
  const locations: Record<string, string> = { 1: "Main Street", 2: "Harbour" };
  expect(found).toEqual(
    zones.map(({ zone_id, location_id }) => [zone_id, locations[String(location_id)] ?? null]),
  );
});

it.each([
  ["json", { report: "plays", by: ["zone"] }],
  ["csv", { report: "plays", by: ["kind"] }],
])("%s of %j has only the report's columns", async (format, words) => {
  const { columns } = await reportOf({ ...words, format });
  expect(columns.map(({ name }) => name)).not.toContain("location_name");
});
