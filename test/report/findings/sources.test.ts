import { expect, it, onTestFinished } from "vitest";
import { describeMissingSources } from "../../../src/report/findings/missing-sources.ts";
import { findStaleSources } from "../../../src/report/findings/stale-sources.ts";
import { buildStatement } from "../../../src/report/options/report-statement.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { reports } from "../../../src/report/reports.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const now = new Date("2026-11-21T06:00:00Z");
const today = "2026-11-21T05:00:00Z";
const longAgo = "2026-08-01T05:00:00Z";
const kinds = ["music", "signage", "messaging"];
const content = ["signage", "messaging"];

/** Group 10 is collected, with an open and a closed zone; 20 was removed from the settings; 30 never answered. */
async function openSources({ devices = today, listedZones = [[1, today]] as [number, string][] } = {}) {
  const folder = createTempFolder();
  const snapshots = [
    { source: "devices", kind: null, group_id: 10, zone_id: null, requested_at: devices },
    { source: "devices", kind: null, group_id: 20, zone_id: null, requested_at: longAgo },
    { source: "notices", kind: null, group_id: null, zone_id: null, requested_at: today },
    { source: "components", kind: null, group_id: null, zone_id: null, requested_at: today },
    ...["campaigns", "assets"].flatMap((source) =>
      content.flatMap((kind) => [
        { source, kind, group_id: 20, zone_id: null, requested_at: longAgo },
        ...[...listedZones, [2, longAgo] as const].map(([zone_id, requested_at]) => ({
          ...{ source, kind, group_id: null, zone_id, requested_at },
        })),
      ]),
    ),
  ];
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: today,
    rows: {
      dim_group: [10, 20, 30].map((group_id) => ({ group_id, group_name: `Group ${group_id}` })),
      dim_zone: [1, 2, 3].map((zone_id) => ({ zone_id, zone_name: `Zone ${zone_id}`, location_id: 1 })),
      bridge_group_zone: [1, 2, 3].map((zone_id) => ({ group_id: 10, zone_id })),
      dim_device: [
        { device_id: 1, zone_id: 1, last_seen_at: devices },
        { device_id: 2, zone_id: 2, last_seen_at: longAgo },
      ],
      fact_freshness: kinds.map((kind) => ({ group_id: 10, kind, source: "export", requested_at: today })),
      fact_load: [{ load_id: 1, source: "export", kind: "music", group_id: 20, requested_at: longAgo }],
      fact_snapshot: snapshots.map((row, index) => ({ snapshot_id: index + 1, records: 1, ...row })),
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return mart;
}

const limits = { history: 30, devices: 3, campaigns: 30, assets: 30, status: 30 };

it("only groups that are still collected are stale or missing, and zones' listings take turns", async () => {
  const mart = await openSources();
  expect(await findStaleSources(mart, now, limits)).toEqual([]);
  expect(await describeMissingSources(mart, { entry: reports.quality })).toMatch(
    /^Never collected completely: music, signage and messaging history of group 30; signage and messaging campaigns of group 30; devices of group 30\./,
  );
  const rows = await mart.all<{ source: string; sources: number; unanswered: number }>(
    ...buildStatement("sources", {}),
  );
  expect(
    rows.map(({ source, sources, unanswered }) => [source, Number(sources), Number(unanswered)]),
  ).toEqual([
    ["export", 6, 3],
    ["assets", 2, 0],
    ["campaigns", 4, 2],
    ["components", 1, 0],
    ["devices", 2, 1],
    ["notices", 1, 0],
  ]);
  const subjects = async (file: string) =>
    (await mart.all<{ subject: string; value: string }>(...buildStatement(file, { now }))).map(
      ({ subject, value }) => `${subject}: ${value}`,
    );
  expect((await subjects("quality/20_freshness")).some((text) => text.startsWith("group 20"))).toBe(false);
  expect(await subjects("quality/25_listing_freshness")).toContain(`zones, signage campaigns: ${today}`);
});

it("devices of a group, or campaigns of all its zones, that were not collected in time are stale", async () => {
  const mart = await openSources({
    devices: "2026-11-21T01:00:00Z",
    listedZones: [
      [1, longAgo],
      [3, longAgo],
    ],
  });
  expect((await findStaleSources(mart, now, limits)).map(({ topic }) => topic)).toEqual([
    "devices",
    "campaigns",
    "assets",
  ]);
});
