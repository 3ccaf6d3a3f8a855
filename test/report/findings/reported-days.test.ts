import { expect, it, onTestFinished } from "vitest";
import { getReportedDays } from "../../../src/report/findings/reported-days.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { resolveChosen } from "../../../src/report/options/resolve-entities.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";

const zone = (zone_id: number, time_zone: string) => ({
  zone_id,
  zone_name: `Zone ${zone_id}`,
  time_zone,
  first_play_date: "2026-01-01",
  last_play_date: "2026-11-20",
});
const fresh = (kind: string, requested_at: string, source = "export") => ({
  group_id: source === "file" ? null : 10,
  kind,
  source,
  requested_at,
});
const snapshot = (source: string, requested_at: string) => ({ source, group_id: 10, requested_at });
const played = (kind: string, date: string) => ({ kind, zone_id: 11, item_key: 4, date, plays: 1 });

/** Data that ends at different instants: messaging on 11 November, the rest on 20 and 21 November. */
const exported = {
  version: "v000001",
  dataAsOf: "2026-11-11T04:00:00Z",
  rows: {
    dim_zone: [zone(11, "Europe/Berlin"), zone(12, "Asia/Tokyo")],
    bridge_group_zone: [
      { group_id: 10, zone_id: 11 },
      { group_id: 10, zone_id: 12 },
    ],
    fact_freshness: [
      fresh("music", "2026-11-21T04:00:00Z"),
      fresh("signage", "2026-11-20T04:00:00Z"),
      fresh("messaging", "2026-11-11T04:00:00Z"),
    ],
    fact_snapshot: [
      snapshot("devices", "2026-11-21T16:00:00Z"),
      { ...snapshot("campaigns", "2026-11-18T16:00:00Z"), kind: "signage" },
    ],
  },
};

/** Loaded on 21 November, from files of unknown age. */
const fromFiles = {
  version: "v000001",
  dataAsOf: "2026-11-21T04:00:00Z",
  rows: {
    dim_zone: [zone(11, "Europe/Berlin")],
    fact_freshness: [
      fresh("music", "2026-11-21T04:00:00Z", "file"),
      fresh("signage", "2026-11-21T04:00:00Z", "file"),
    ],
    fact_play_day: [
      played("music", "2026-10-01"),
      played("music", "2026-10-31"),
      played("signage", "2026-10-09"),
    ],
  },
};

async function daysOf(name: string, words: TypedOptions, now = "2026-11-25T10:00:00Z") {
  const world = name === "files" ? fromFiles : exported;
  const folder = await shareFolder(`reported days ${name}`, (own) => publishFixture(own, world));
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  return await getReportedDays(mart, await resolveChosen(mart, parseReportOptions(words)), new Date(now));
}

it.each<[string, string, TypedOptions, string, string]>([
  ["its oldest kind", "exports", { report: "plays" }, "2026-10-14", "2026-11-10"],
  ["the requested kind", "exports", { report: "plays", kind: ["music"] }, "2026-10-24", "2026-11-20"],
  [
    "signage, and its campaigns",
    "exports",
    { report: "compliance", kind: ["signage"] },
    "2026-10-21",
    "2026-11-17",
  ],
  ["listings of devices", "exports", { report: "outages" }, "2026-10-24", "2026-11-20"],
  ["the last play of files, less its own day", "files", { report: "plays" }, "2026-10-03", "2026-10-30"],
  [
    "the last play of files of one kind, less its own day",
    "files",
    { report: "plays", kind: ["signage"] },
    "2026-09-12",
    "2026-10-09",
  ],
])("ends with the last day with complete data: %s", async (_label, world, words, from, to) => {
  const { period } = await daysOf(world, words);
  expect(period).toEqual({ from, to });
});

it.each([["11"], ["12"]])(
  "reported days are the same for a zone whose day ended earlier: %s",
  async (zoneId) => {
    const music = { report: "plays", kind: ["music"] };
    const all = await daysOf("exports", music, "2026-11-20T18:00:00Z");
    expect(all.period.to).toBe("2026-11-19");
    expect((await daysOf("exports", { ...music, zone: [zoneId] }, "2026-11-20T18:00:00Z")).period).toEqual(
      all.period,
    );
  },
);

it("notes the end of the data if later days are requested, and keeps the requested dates", async () => {
  const requested = { from: "2026-11-15", to: "2026-11-24" };
  const days = await daysOf("exports", { report: "plays", kind: ["music"], ...requested });
  expect(days).toEqual({
    period: requested,
    dataAsOf: "2026-11-21T04:00:00Z",
    dataDays: { from: "2026-01-01", wholeTo: "2026-11-20", partTo: "2026-11-21" },
    lastDay: "2026-11-20",
  });
});

it("reports nothing later than now", async () => {
  const { period } = await daysOf("exports", { report: "plays", kind: ["music"] }, "2026-06-01T10:00:00Z");
  expect(period.to).toBe("2026-05-31");
});
