import { cpSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { buildMart } from "../../../src/build/build-mart.ts";
import { type Cell, explainCampaignDay } from "../../../src/report/findings/explain-campaign-day.ts";
import { parseCampaignDay, resolveCampaignDay } from "../../../src/report/findings/parse-campaign-day.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { buildOptions } from "../../build/build-options.ts";
import { PublishedWarehouse } from "../../publish/published-warehouse.ts";
import { type CaseListing, loadCaseListings, setZoneDays } from "../../support/case-listings.ts";
import { insertCoreRows, markAllDirty } from "../../support/core-rows.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { shareFolder } from "../../support/shared-folder.ts";

const openExplained = async () =>
  await shareFolder("explained cells", async (folder) => {
    const published = await PublishedWarehouse.open();
    await publishExplained(published);
    cpSync(published.folder, folder, { recursive: true, verbatimSymlinks: true });
  });

async function publishExplained(published: PublishedWarehouse): Promise<void> {
  const { warehouse } = published;
  await insertCoreRows(warehouse, "play", [
    { kind: "signage", zone_id: 1, item_id: 8, played_at: "2026-11-03 10:00:00", duration_secs: 10 },
    { kind: "signage", zone_id: 1, item_id: 8, played_at: "2026-11-03 11:00:00", duration_secs: 4 },
  ]);
  await insertCoreRows(warehouse, "load", [
    { source: "walk", kind: "signage", zone_id: 1, requested_at: "2026-11-20 06:00:00" },
  ]);
  await markAllDirty(warehouse);
  await loadCaseListings(warehouse, [
    {
      zoneId: 1,
      requestedAt: "2026-10-01T06:00:00Z",
      campaigns: [
        {
          campaign_id: 5,
          name: "Autumn",
          start_date: "2026-10-06",
          end_date: "2026-11-30",
          rrule: "FREQ=WEEKLY;BYDAY=TU",
          assets: [{ asset_id: 7, end_date: "2026-10-31" }, 8],
        },
        { campaign_id: 6, name: "Always", assets: [8] },
      ],
    },
    {
      zoneId: 1,
      kind: "messaging",
      requestedAt: "2026-10-01T06:00:00Z",
      campaigns: [{ campaign_id: 6, assets: [1] }],
    },
  ]);
  await setZoneDays(warehouse, [{ zoneId: 1, from: "2026-11-01", to: "2026-11-05" }]);
  await buildMart(warehouse, buildOptions);
  await published.publish(buildOptions.version);
}

async function explain(cell: Cell, folder?: string): Promise<string[]> {
  const { rows } = await explainCampaignDay(await openBuilt(folder), cell);
  const lines: string[] = [];
  for await (const row of rows) lines.push(row.join(" | "));
  return lines;
}

async function openBuilt(folder?: string): Promise<PublishedMart> {
  const mart = await openPublished(folder ?? (await openExplained()), { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

/** Publishes the same with one more listing. */
async function publishChanged(listing: CaseListing, options: object = {}): Promise<string> {
  const published = await PublishedWarehouse.open();
  await publishExplained(published);
  await loadCaseListings(published.warehouse, [listing]);
  await buildMart(published.warehouse, { ...buildOptions, ...options, version: "v000002" });
  await published.publish("v000002");
  return published.folder;
}

it("explains the listing, rule, assets, plays, claimants, devices and matching state", async () => {
  expect(await explain({ campaignId: 5, zoneId: 1, date: "2026-11-03" })).toMatchInlineSnapshot(`
    [
      "cell | Autumn in Zone 1 | compliant | 2 candidate plays, 0 exclusive, 1.000 weighted; 1 of 1 assets played",
      "day | from, to (UTC) | 2026-11-03 00:00:00, 2026-11-04 00:00:00 | the zone's local day",
      "day | settled | yes | days that ended by 2026-11-17 06:00:00 are covered by a complete export or walk that was requested late enough",
      "day | plays of any kind | yes | ",
      "day | closed | no | means: no plays of any kind, and no opening hours, given or learnt from the surrounding weeks",
      "day | device | not checked on this day | ",
      "listing | zone 1 | in force | no listing after this day yet",
      "listing | zone 1, at the start of the day | Autumn, enabled, 2026-10-06 to 2026-11-30, added 2026-01-01 | scheduled for this day if an asset is active, according to the listing of 2026-10-01 06:00:00 UTC",
      "rule | FREQ=WEEKLY;BYDAY=TU | has an occurrence | before: 2026-10-27, after: 2026-11-10",
      "assets | asset 7, Asset 7 | not active | until 2026-10-31, linked by zone 1 from 2026-10-01 06:00:00",
      "assets | asset 8, Asset 8 | active | no start or end date, linked by zone 1 from 2026-10-01 06:00:00",
      "plays | Asset 8 | 2026-11-03 10:00:00 | 10 s, complete; start in local time",
      "plays | Asset 8 | 2026-11-03 11:00:00 | 4 s, cut short; start in local time",
      "claimants | Always | scheduled | campaign 6, asset 8",
      "states | unscheduled | no | means: not scheduled, but claimed plays",
      "states | pending | no | means: not settled",
      "states | compliant | yes, this applies | means: at least one candidate play",
      "states | closed | no | means: no plays of any kind, and no opening hours",
      "states | not_measurable | no | means: the listings disagree; or no plays of any kind, and no known device state",
      "states | missed_offline | no | means: down for some time, and never known to be up",
      "states | missed | would also apply | means: scheduled, and none of the above",
    ]
  `);
});

it.each([
  [{ campaignId: 5, date: "2026-11-03" }, ["Ran: its assets played 2 times."]],
  [
    { campaignId: 5, date: "2026-11-04" },
    ["Not scheduled, and no plays that it could claim: there is nothing to count."],
  ],
  [
    { campaignId: 6, date: "2026-11-03" },
    [
      "signage: Ran: its assets played 2 times.",
      "messaging: Not settled yet: plays of this day may still arrive.",
    ],
  ],
  [
    { campaignId: 6, date: "2026-11-04", kind: "signage" as const },
    ["Closed: the zone had no plays and was not expected to be open that day."],
  ],
])("explains the day's state in a sentence: %j", async (cell, expected) => {
  const { notes } = await explainCampaignDay(await openBuilt(), { ...cell, zoneId: 1 });
  expect(notes).toEqual(expected);
});

it("explains a missing cell: the rule has no occurrence", async () => {
  const lines = await explain({ campaignId: 5, zoneId: 1, date: "2026-11-04" });
  expect(lines[0]).toBe(
    "cell | Autumn in Zone 1 | none | Not scheduled, and no plays that it could claim: there is nothing to count.",
  );
  expect(lines).toContain(
    "rule | FREQ=WEEKLY;BYDAY=TU | has no occurrence | before: 2026-11-03, after: 2026-11-10",
  );
});

itInAll("reports unreadable dates of an asset as invalid", async () => {
  const assets = [{ asset_id: 7, end_date: "soon" }];
  const folder = await publishChanged({
    zoneId: 1,
    requestedAt: "2026-10-02T06:00:00Z",
    campaigns: [{ campaign_id: 5, assets }],
  });
  expect(await explain({ campaignId: 5, zoneId: 1, date: "2026-11-04" }, folder)).toContain(
    "assets | asset 7, Asset 7 | not active | invalid start or end date, linked by zone 1 from 2026-10-02 06:00:00",
  );
});

itEachSampled(
  [
    ["2030-01-01", /No data for this day yet: the zone's data ends on 2026-11-\d\d\.$/],
    ["2001-01-01", /No data for this day: the zone's data begins on 2026-1\d-\d\d\.$/],
  ],
  1,
)("explains that the data does not cover the day: %s", async ([date, expected]) => {
  const [cell] = await explain({ campaignId: 5, zoneId: 1, date });
  expect(cell).toMatch(expected);
});

it("explains campaigns of both kinds that share an id, or the requested one", async () => {
  const sections = async (cell: Cell) => new Set((await explain(cell)).map((line) => line.split(" ")[0]));
  expect(await sections({ campaignId: 6, zoneId: 1, date: "2026-11-03" })).toEqual(
    new Set(["signage", "messaging"]),
  );
  const [first] = await explain({ kind: "messaging", campaignId: 6, zoneId: 1, date: "2026-11-03" });
  expect(first).toMatch(/^cell \| Campaign 6 in Zone 1 \| pending/);
});

it("reports an unknown campaign and zone", async () => {
  expect(await explain({ campaignId: 99, zoneId: 1, date: "2026-11-03" })).toContain(
    "cell | Campaign 99 in Zone 1 | none | This campaign has never been listed.",
  );
  expect(await explain({ campaignId: 5, zoneId: 99, date: "2026-11-03" })).toContain(
    "cell | Autumn in zone 99 | none | This zone is not known.",
  );
});

/** The cell that `--explain` derives from words, given the published data. */
async function cellOf({ date, ...words }: Omit<TypedOptions, "report"> & { date?: string }): Promise<Cell> {
  const cell = parseCampaignDay(parseReportOptions({ report: "compliance", ...words }), date);
  return await resolveCampaignDay(await openBuilt(), cell);
}

it.each([
  ["ids", { campaign: ["5"], kind: ["signage"] }, { campaignId: 5, kind: "signage" }],
  ["the id of one campaign", { campaign: ["5"] }, { campaignId: 5, kind: "signage" }],
  ["the id of two campaigns", { campaign: ["6"] }, { campaignId: 6 }],
  ["names", { campaign: ["always"] }, { campaignId: 6, kind: "signage" }],
])("finds a cell by %s", async (_label, words, cell) => {
  const place = { zone: ["Zone 1"], date: "2026-11-03" };
  expect(await cellOf({ ...words, ...place })).toEqual({ ...cell, zoneId: 1, date: "2026-11-03" });
});

itInAll("explains for each named time whether it is due, and which play met it", async () => {
  const folder = await publishChanged(
    {
      zoneId: 1,
      requestedAt: "2026-10-02T06:00:00Z",
      campaigns: [{ campaign_id: 5, rrule: "FREQ=DAILY;BYHOUR=9,10,11;BYMINUTE=30", assets: [8] }],
    },
    { slotMinutes: 45 },
  );
  const lines = await explain({ campaignId: 5, zoneId: 1, date: "2026-11-03" }, folder);
  // It plays at 10:00 and 11:00, and counts as open in between.
  expect(lines.filter((line) => line.startsWith("times"))).toEqual([
    "times | 09:30 | not due | the zone is closed at this time",
    "times | 10:30 | met | the next candidate play began at 11:00:00; a play within 45 minutes meets the time",
    "times | 11:30 | not due | the zone is closed at this time",
  ]);
});
