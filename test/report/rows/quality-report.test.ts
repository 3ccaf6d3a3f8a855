import { expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import type { UnfinishedWork } from "../../../src/state/data/runs.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";
import { generatePlays, publishedWorld } from "../plays-world.ts";

const noLines = {
  bytes: 0,
  lines: 0,
  new_plays: 0,
  changed: 0,
  unchanged: 0,
  blank: 0,
  loaded_at: "2026-11-21T04:30:00Z",
};
const load = (
  load_id: number,
  origin: { source: string; kind: string | null; group_id: number | null; requested_at: string },
  [duplicate, rejected, zero_second, vanished]: readonly [number, number, number, number],
) => ({ ...noLines, load_id, zone_id: null, ...origin, duplicate, rejected, zero_second, vanished });
const ofGroup = (group_id: number, kind: string, requested_at: string) => ({
  source: "export",
  kind,
  group_id,
  requested_at,
});
const walk = { source: "walk", kind: "signage", group_id: null, requested_at: "2026-11-21T00:00:00Z" };
const file = { source: "file", kind: "music", group_id: null, requested_at: "2026-11-01T00:00:00Z" };
const reject = (load_id: number, line_number: number, reason: string, line = "{") => ({
  load_id,
  line_number,
  reason,
  line,
});

const listing = (
  snapshot_id: number,
  source: string,
  of: { group_id?: number; zone_id?: number; kind?: string },
  requested_at: string,
  rejected = 0,
) => ({ snapshot_id, source, ...of, requested_at, records: 10, rejected });
const unknownField = (
  source: string,
  kind: string | null,
  field: string,
  answers: number,
  records: number,
) => ({ source, kind, field, answers, records, last_seen_at: "2026-11-21T04:00:00Z" });
const device = (device_id: number, zone_id: number, values: Record<string, string>) => ({
  device_id,
  zone_id,
  status: "online",
  first_seen_at: "2026-11-01T04:00:00Z",
  last_seen_at: "2026-11-21T04:00:00Z",
  ...values,
});
const ahead = (
  device_id: number,
  zone_id: number,
  date: string,
  date_time: string,
  snapshots: number,
  seconds_ahead: number,
) => ({ device_id, zone_id, date, date_time, snapshots, seconds_ahead });
const campaign = (campaign_id: number, campaign_name: string) => ({
  campaign_key: campaign_id * 4 + 1,
  kind: "signage",
  campaign_id,
  campaign_name,
});

const listed = (
  campaign_key: number,
  owner: { owner_kind: string; owner_id: number },
  rule: { rrule: string; rule_error: string | null },
  from_at: string,
  until_at: string | null,
) => ({ kind: "signage", ...owner, campaign_key, ...rule, from_at, until_at });
const linkedAsset = (
  campaign_key: number,
  asset: number,
  dates: { start_date: string; end_date: string | null },
  until_at: string | null,
) => ({
  kind: "signage",
  ...firstGroup,
  campaign_key,
  item_key: asset * 4 + 1,
  ...dates,
  from_at: "1970-01-01T00:00:00Z",
  until_at,
});
const firstGroup = { owner_kind: "group", owner_id: 1 };
const zone12 = { owner_kind: "zone", owner_id: 12 };
const never = { rrule: "FREQ=NEVER", rule_error: "NEVER is no frequency" };

const sharePublished = async () => await shareFolder("quality", publishQuality);

async function publishQuality(folder: string): Promise<void> {
  const world = publishedWorld("v000003", generatePlays());
  await publishFixture(folder, {
    ...world,
    rows: {
      ...world.rows,
      fact_load: [
        load(1, ofGroup(1, "music", "2026-11-20T04:00:00Z"), [9, 9, 9, 9]),
        load(2, ofGroup(1, "music", "2026-11-21T04:10:00Z"), [4, 3, 2, 1]),
        load(3, ofGroup(1, "signage", "2026-11-18T04:10:00Z"), [0, 0, 5, 0]),
        load(4, file, [1, 1, 0, 0]),
        load(5, file, [2, 0, 0, 0]),
        // Walks of a zone of group 1, and of one of group 2.
        { ...load(6, walk, [0, 4, 0, 0]), zone_id: 11 },
        { ...load(7, walk, [0, 5, 0, 0]), zone_id: 14 },
      ],
      fact_snapshot: [
        listing(1, "devices", { group_id: 1 }, "2026-11-20T04:00:00Z", 1),
        listing(2, "devices", { group_id: 1 }, "2026-11-21T04:00:00Z", 2),
        listing(3, "campaigns", { zone_id: 11, kind: "signage" }, "2026-11-10T04:00:00Z"),
        listing(4, "campaigns", { zone_id: 12, kind: "signage" }, "2026-11-20T04:00:00Z"),
        listing(5, "notices", {}, "2026-11-21T04:00:00Z"),
        listing(6, "campaigns", { zone_id: 16, kind: "signage" }, "2026-11-19T04:00:00Z"),
      ],
      dim_device: [device(110, 11, {}), device(120, 12, {}), device(160, 16, { status: "offline" })],
      dim_campaign: [
        { ...campaign(7, "Spring"), ...never, is_listed: true },
        { ...campaign(8, "Fine"), rrule: "FREQ=DAILY", is_listed: true },
        // Archived in the period, and before it.
        { ...campaign(9, "Over"), ...never, is_listed: false },
        { ...campaign(10, "Long over"), ...never, is_listed: false },
      ],
      fact_listed_campaign: [
        listed(29, firstGroup, never, "1970-01-01T00:00:00Z", null),
        listed(37, firstGroup, never, "1970-01-01T00:00:00Z", "2026-11-02T04:00:00Z"),
        listed(41, firstGroup, never, "1970-01-01T00:00:00Z", "2026-10-02T04:00:00Z"),
        // Corrected in the period, by one listing after the other; before that it had a different error.
        listed(33, firstGroup, never, "2026-10-20T04:00:00Z", "2026-11-01T04:00:00Z"),
        listed(33, zone12, never, "2026-10-20T04:00:00Z", "2026-11-05T04:00:00Z"),
        listed(33, firstGroup, { rrule: "FREQ=DAILY", rule_error: null }, "2026-11-01T04:00:00Z", null),
        listed(
          33,
          firstGroup,
          { rrule: "FREQ=ODD", rule_error: "ODD is no frequency" },
          "1970-01-01T00:00:00Z",
          "2026-10-20T04:00:00Z",
        ),
      ],
      fact_listed_asset: [
        linkedAsset(33, 5, { start_date: "9999-12-31", end_date: "1000-01-01" }, null),
        linkedAsset(33, 6, { start_date: "9999-12-31", end_date: "1000-01-01" }, "2026-10-01T04:00:00Z"),
        linkedAsset(33, 7, { start_date: "9999-12-31", end_date: null }, null),
      ],
      fact_freshness: [
        { ...ofGroup(1, "music", "2026-11-21T04:10:00Z") },
        { ...ofGroup(1, "signage", "2026-11-18T04:10:00Z"), source: "walk" },
      ],
      fact_clock_ahead: [
        ahead(120, 12, "2026-11-05", "last_online", 2, 301),
        ahead(120, 12, "2026-11-04", "last_online", 3, 900),
        ahead(120, 12, "2026-11-05", "last_play", 1, 400),
        // Not in the period.
        ahead(110, 11, "2026-10-22", "last_online", 1, 301),
        ahead(110, 11, "2026-11-21", "last_online", 1, 301),
      ],
      fact_unknown_field: [
        unknownField("history", "music", "mood", 1, 2000),
        unknownField("devices", null, "location.country", 12, 30),
        unknownField("devices", null, "volume", 12, 31),
        unknownField("campaigns", "signage", "owner", 2, 9),
      ],
      fact_reject: [
        reject(1, 1, "invalid_json"),
        reject(2, 17, "invalid_json", '{"zone_id": 12, "song_id'),
        reject(2, 23, "invalid_json"),
        reject(2, 9, "missing_field"),
        reject(4, 5, "missing_field", '{"zone_id":"13"}'),
        reject(6, 1, "invalid_json"),
        reject(6, 2, "missing_field", '{"zone_id": 14}'),
        reject(6, 3, "id_out_of_range", '{"zone_id": 15}'),
      ],
      fact_restatement: [
        {
          version: "v000002",
          kind: "music",
          date: "2026-11-03",
          plays_before: 120,
          plays_after: 125,
          states_changed: 0,
        },
        {
          version: "v000003",
          kind: "signage",
          date: "2026-11-04",
          plays_before: 9,
          plays_after: 7,
          states_changed: 2,
        },
        {
          version: "v000003",
          kind: "music",
          date: "2026-01-01",
          plays_before: 1,
          plays_after: 2,
          states_changed: 0,
        },
      ],
    },
  });
}

async function quality(
  words: Partial<Omit<TypedOptions, "format">> = {},
  unfinished: readonly UnfinishedWork[] = [],
) {
  const mart = await openPublished(await sharePublished(), { threads: 1 });
  try {
    const options = parseReportOptions({ report: "quality", ...words });
    const known = { ...mart, findUnfinished: async () => unfinished };
    const report = await runReport(known, options, new Date("2026-11-21T06:20:30Z"));
    const rows: string[] = [];
    for await (const row of report.rows) rows.push(row.join(" | "));
    return { ...report, rows };
  } finally {
    mart.close();
  }
}

it("lists findings by section", async () => {
  const { rows, columns, period } = await quality();
  expect(period).toEqual({ from: "2026-10-23", to: "2026-11-19" });
  expect(columns.map(({ name }) => name)).toEqual(["section", "subject", "value", "note"]);
  expect(rows).toMatchInlineSnapshot(`
    [
      "published | version | v000003 | built 2026-11-21T05:00:00Z by venue-analytics 0.1.0",
      "published | data_as_of | 2026-11-21T04:10:00Z | oldest of the latest complete requests of each group and kind that has one",
      "freshness | group 1 (Bars), messaging | never | no complete response yet",
      "freshness | group 1 (Bars), music | 2026-11-21T04:10:00Z | 2 hours old",
      "freshness | group 1 (Bars), signage | 2026-11-18T04:10:00Z | 3 days old, of the zone walked longest ago",
      "freshness | group 2, messaging | never | no complete response yet",
      "freshness | group 2, music | never | no complete response yet",
      "freshness | group 2, signage | never | no complete response yet",
      "freshness | group 1 (Bars), devices | 2026-11-21T04:00:00Z | 2 hours old",
      "freshness | status API, notices | 2026-11-21T04:00:00Z | 2 hours old",
      "freshness | zones, signage campaigns | 2026-11-10T04:00:00Z | 11 days old, of the zone not seen for longest",
      "loads | listing 2 | 2 | devices, group 1; rejected records: 2",
      "loads | load 2 | 4 | export of music, group 1; rejected lines: 3, vanished plays: 1",
      "loads | load 4 | 1 | file of music; rejected lines: 1, vanished plays: 0",
      "loads | load 6 | 4 | walk of signage, zone 11; rejected lines: 4, vanished plays: 0",
      "loads | load 7 | 5 | walk of signage, zone 14; rejected lines: 5, vanished plays: 0",
      "rejects | invalid_json | 3 | for example line 1 of load 6",
      "rejects | missing_field | 3 | for example line 2 of load 6",
      "rejects | id_out_of_range | 1 | for example line 3 of load 6; ids from 0 to 2251799813685247 are accepted",
      "duplicates | music | 7 | lines that repeat a play: counted once",
      "duplicates | signage | 0 | lines that repeat a play: counted once",
      "zero_second | music | 2 | zero-second records: not plays",
      "zero_second | signage | 5 | zero-second records: not plays",
      "vanished | music | 1 | plays no longer in the latest export: kept",
      "vanished | signage | 0 | plays no longer in the latest export: kept",
      "restatements | signage on 2026-11-04 | -2 | v000003: 9 plays became 7, 2 campaign states changed",
      "restatements | music on 2026-11-03 | 5 | v000002: 120 plays became 125",
      "unknown_fields | signage campaigns: owner | 9 | records with it, in 2 responses, the last of 2026-11-21T04:00:00Z",
      "unknown_fields | devices: volume | 31 | records with it, in 12 responses, the last of 2026-11-21T04:00:00Z",
      "unknown_fields | devices: location.country | 30 | records with it, in 12 responses, the last of 2026-11-21T04:00:00Z",
      "unknown_fields | music history: mood | 2000 | records with it, in 1 response, the last of 2026-11-21T04:00:00Z",
      "rule_errors | signage campaign 7 (Spring) | FREQ=NEVER | NEVER is no frequency",
      "rule_errors | signage campaign 8 (Fine) |  | asset 5 has an invalid date: it is treated as never active",
      "rule_errors | signage campaign 8 (Fine) | FREQ=NEVER | NEVER is no frequency; listed this way until 2026-11-05T04:00:00Z",
      "rule_errors | signage campaign 9 (Over) | FREQ=NEVER | NEVER is no frequency; listed this way until 2026-11-02T04:00:00Z",
      "clocks | device 120, zone 12 (=Gym()): last_online_date | 900 | maximum seconds after the listing; in 5 listings, the last on 2026-11-05",
      "clocks | device 120, zone 12 (=Gym()): last_play_date | 400 | maximum seconds after the listing; in 1 listing, the last on 2026-11-05",
      "zones_without_device | zone 13 (Shop | <b>) | 2026-11-20 | date of its last play; no device has ever been listed in it",
      "zones_without_device | zone 14 (مقهى) | 2026-11-20 | date of its last play; no device has ever been listed in it",
      "zones_without_device | zone 15 | 2026-11-20 | date of its last play; no device has ever been listed in it",
      "devices_without_history | device 160, zone 16 (Silent) | offline | its zone has never played anything",
      "zones_without_plays | zone 16 (Silent) | never | date of its last play of any kind",
    ]
  `);
});

it.each<[words: Partial<TypedOptions>, loads: number[], rejects: string[]]>([
  [{}, [7, 6, 5, 4, 3, 2, 1], ["6:1", "6:2", "6:3", "4:5", "2:9", "2:17", "2:23", "1:1"]],
  [{ group: ["1"] }, [6, 3, 2, 1], ["6:1", "6:2", "6:3", "2:9", "2:17", "2:23", "1:1"]],
  [{ group: ["2"] }, [7], []],
  // For a walk, lines without a zone too; for an export, only lines that name a requested zone.
  [{ zone: ["11"] }, [6, 3, 2, 1], ["6:1"]],
  [{ zone: ["12"] }, [3, 2, 1], ["2:17"]],
  [{ zone: ["14"] }, [7], []],
  [{ zone: ["12"], kind: ["signage"] }, [3], []],
  [{ location: ["3"] }, [7], []],
])("loads and rejects keep to the requested groups, zones and kinds: %o", async (words, loads, rejects) => {
  const rowsOf = async (report: string) =>
    (await quality({ ...words, report })).rows.map((row) => row.split(" | "));
  expect((await rowsOf("loads")).map(([load]) => Number(load))).toEqual(loads);
  expect((await rowsOf("rejects")).map(([load, line]) => `${load}:${line}`)).toEqual(rejects);
});

it("keeps to the requested kinds, groups, zones and dates", async () => {
  const { rows } = await quality({
    kind: ["signage"],
    group: ["2"],
    zone: ["14", "16"],
    from: "2026-11-04",
    to: "2026-11-04",
  });
  expect(rows.slice(2)).toMatchInlineSnapshot(`
    [
      "freshness | group 2, signage | never | no complete response yet",
      "freshness | status API, notices | 2026-11-21T04:00:00Z | 2 hours old",
      "freshness | zones, signage campaigns | 2026-11-19T04:00:00Z | 2 days old, of the zone not seen for longest",
      "loads | load 7 | 5 | walk of signage, zone 14; rejected lines: 5, vanished plays: 0",
      "duplicates | signage | 0 | lines that repeat a play: counted once",
      "zero_second | signage | 0 | zero-second records: not plays",
      "vanished | signage | 0 | plays no longer in the latest export: kept",
      "restatements | signage on 2026-11-04 | -2 | v000003: 9 plays became 7, 2 campaign states changed",
      "unknown_fields | signage campaigns: owner | 9 | records with it, in 2 responses, the last of 2026-11-21T04:00:00Z",
      "unknown_fields | devices: volume | 31 | records with it, in 12 responses, the last of 2026-11-21T04:00:00Z",
      "unknown_fields | devices: location.country | 30 | records with it, in 12 responses, the last of 2026-11-21T04:00:00Z",
      "rule_errors | signage campaign 7 (Spring) | FREQ=NEVER | NEVER is no frequency",
      "rule_errors | signage campaign 8 (Fine) |  | asset 5 has an invalid date: it is treated as never active",
      "rule_errors | signage campaign 8 (Fine) | FREQ=NEVER | NEVER is no frequency; listed this way until 2026-11-05T04:00:00Z",
      "zones_without_device | zone 14 (مقهى) | 2026-11-20 | date of its last play; no device has ever been listed in it",
      "devices_without_history | device 160, zone 16 (Silent) | offline | its zone has never played anything",
      "zones_without_plays | zone 16 (Silent) | never | date of its last play of any kind",
    ]
  `);
});

it("sorts and searches all sections together, with unfinished work of the last run", async () => {
  const unfinished = [{ subject: "group 9", value: "failed", note: "answered 503" }];
  const all = (await quality({}, unfinished)).rows;
  expect(all.at(-1)).toBe("unfinished | group 9 | failed | answered 503");
  const sectionsOf = (rows: readonly string[]) => rows.map((row) => row.split(" | ")[0]);
  const sorted = sectionsOf(all).sort();
  const ascending = await quality({ sort: "section" }, unfinished);
  expect(sectionsOf(ascending.rows)).toEqual(sorted);
  expect([...ascending.rows].sort()).toEqual([...all].sort());
  expect(sectionsOf((await quality({ sort: "-section" }, unfinished)).rows)).toEqual(sorted.reverse());
  const { rows } = await quality({ search: "503", sort: "-note" }, unfinished);
  expect(rows).toEqual([all.at(-1)]);
  expect((await quality({ search: "503" }, unfinished)).rows).toEqual(rows);
});
