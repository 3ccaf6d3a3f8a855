import { expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [
    "devices",
    "No campaign listing has been loaded yet, so nothing is scheduled. `venue run` collects campaign listings.",
  ],
  ["campaigns", "According to the loaded listings, no campaign has been scheduled on any day yet."],
])("explains why nothing is scheduled after listings of %s", async (source, note) => {
  const folder = createTempFolder();
  const listing = {
    snapshot_id: 1,
    source,
    kind: "signage",
    group_id: 1,
    requested_at: "2026-11-21T03:00:00Z",
  };
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T03:00:00Z",
    rows: { fact_snapshot: [{ ...listing, records: 0, rejected: 0 }] },
  });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const options = parseReportOptions({ report: "compliance" });
    const { notes } = await runReport(mart, options, new Date("2026-11-21T06:00:00Z"));
    expect(notes).toEqual([note]);
  } finally {
    mart.close();
  }
});

it("names the zones that have never played a kind, with their missed days", async () => {
  const folder = createTempFolder();
  const date = "2026-11-20";
  const day = { campaign_key: 21, kind: "signage", date, is_assumed: false };
  const zoneIds = [1, 2, 3, 4, 5, 6];
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T03:00:00Z",
    rows: {
      dim_zone: zoneIds.map((zone_id) => ({ zone_id, zone_name: `Zone ${zone_id}` })),
      dim_campaign: [{ campaign_key: 21, kind: "signage", campaign_id: 5, campaign_name: "Five" }],
      // Zone 1 has played signage, zone 2 only music, and zone 6 missed nothing.
      fact_play_day: [
        { kind: "signage", zone_id: 1, date: "2026-10-01", item_key: 29, plays: 1 },
        { kind: "music", zone_id: 2, date, item_key: 28, plays: 1 },
      ],
      fact_campaign_zone_day: [
        ...zoneIds.map((zone_id) => ({ ...day, zone_id, state: zone_id === 6 ? "pending" : "missed" })),
        { ...day, zone_id: 3, date: "2026-11-19", state: "missed_offline" },
      ],
    },
  });
  const mart = await openPublished(folder, { threads: 1 });
  const notesOf = async (words: object = {}) => {
    const options = parseReportOptions({ report: "compliance", from: "2026-11-19", to: date, ...words });
    return (await runReport(mart, options, new Date("2026-11-21T06:00:00Z"))).notes;
  };
  try {
    expect(await notesOf()).toContain(
      "4 zones have never played signage, with 5 of 6 missed signage days: 3 (Zone 3), 2 (Zone 2), 4 (Zone 4) and 1 more. If they cannot, list the kinds that they can play in reference/zone_kinds.csv.",
    );
    expect(await notesOf({ zone: ["3"] })).toContain(
      "1 zone has never played signage, with 2 of 2 missed signage days: 3 (Zone 3). If it cannot, list the kinds that it can play in reference/zone_kinds.csv.",
    );
    for (const words of [{ zone: ["1"] }, { kind: ["messaging"] }])
      expect((await notesOf(words)).join()).not.toContain("never played");
  } finally {
    mart.close();
  }
});
