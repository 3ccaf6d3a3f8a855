import { expect, it } from "vitest";
import { describePage } from "../../../src/report/html/describe-page.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { ReportWords } from "../../../src/report/options/parse-request.ts";
import { buildOverview } from "../../../src/report/overview/overview.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { type PublishedFixture, publishFixture } from "../../support/published-fixture.ts";
import { shareFolder } from "../../support/shared-folder.ts";

const now = new Date("2026-11-21T12:00:00Z");
/** The number of rejected lines, loads, zones, devices, outages, items and campaigns. */
const size = 3_000;
/** The most rows that a page may read in addition to its table. */
const mostRows = 1_300;

/** A version with many rows in every table that grows. */
async function openLarge(): Promise<PublishedMart> {
  const folder = await shareFolder("many rows", (own) => publishLarge(own));
  return await openPublished(folder, { threads: 1 });
}

async function publishLarge(folder: string): Promise<void> {
  const date = "2026-11-18";
  const at = (time: string) => `${date} ${time}`;
  const each = <Row>(row: (index: number) => Row): Row[] =>
    Array.from({ length: size }, (_, i) => row(i + 1));
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T06:00:00Z",
    rows: {
      fact_reject: each((i) => ({ load_id: i, line_number: 1, reason: `reason ${i % 7}`, line: "{}" })),
      fact_load: each((i) => ({
        ...{ load_id: i, source: "walk", kind: "music", zone_id: i, requested_at: at("06:00:00"), bytes: 9 },
        ...{ loaded_at: at("06:00:00"), lines: 1, new_plays: 0, changed: 0, unchanged: 0, duplicate: 0 },
        ...{ rejected: 1, blank: 0, zero_second: 0, vanished: 0 },
      })),
      dim_group: [{ group_id: 1, group_name: "Chain" }],
      bridge_group_zone: each((i) => ({ group_id: 1, zone_id: i })),
      dim_zone: each((i) => ({
        ...{ zone_id: i, zone_name: `Zone ${i}`, time_zone: "UTC" },
        ...{ first_play_date: date, last_play_date: date },
      })),
      ...playsOf(each, date),
      ...devicesOf(each, date),
      dim_campaign: each((i) => ({
        ...{ campaign_key: i, kind: "signage", campaign_id: i, campaign_name: `Campaign ${i}` },
        ...{ is_listed: true },
      })),
      fact_campaign_zone_day: each((i) => ({
        ...{ campaign_key: i, kind: "signage", zone_id: i, date, state: "missed", is_assumed: false },
      })),
    },
  });
}

type Each = <Row>(row: (index: number) => Row) => Row[];

/** Two days of plays: one item in every zone, and another item in each. */
function playsOf(each: Each, date: string): PublishedFixture["rows"] {
  const plays = (day: string, itemOf: (index: number) => number) =>
    each((i) => ({ kind: "music", zone_id: i, item_key: itemOf(i), artist_id: 1, date: day }));
  const all = [...plays("2026-11-13", () => 1), ...plays(date, (i) => i)];
  return {
    dim_item: each((i) => ({ item_key: i, kind: "music", item_id: i, item_name: `Song ${i}` })),
    dim_artist: [{ artist_id: 1, artist_name: "Artist" }],
    fact_play: all.map((play) => ({
      ...{ ...play, played_at: `${play.date} 09:00:00`, played_at_local: `${play.date} 09:00:00` },
      ...{ utc_offset_minutes: 0, play_hour: 9, duration_secs: 60 },
    })),
    fact_play_day: all.map((play) => ({
      ...{ ...play, plays: 1, play_seconds: 60, complete_plays: 0, measured_plays: 0, short_plays: 0 },
    })),
  };
}

/** Devices that are down, silent or in an unknown state, each with one outage. */
function devicesOf(each: Each, date: string): PublishedFixture["rows"] {
  const states = ["down", "up", "unknown"];
  const seconds = (i: number) => ({
    ...{ up_seconds: 3_600, down_seconds: 1_800 + i, unknown_seconds: 0, open_up_seconds: 0 },
    ...{ open_down_seconds: 0, planned_down_seconds: 0, silent_seconds: 0, playing_while_down_seconds: 60 },
    outages: 1,
  });
  const listed = { requested_at: "2026-11-21 06:00:00", loaded_at: "2026-11-21 06:00:00" };
  return {
    fact_snapshot: [
      { snapshot_id: 1, source: "devices", group_id: 1, ...listed, records: size, rejected: 0 },
    ],
    dim_device: each((i) => ({
      ...{ device_id: i, zone_id: i, status: `status ${i % 3}`, state: states[i % 3] ?? null },
      ...{ first_seen_at: `${date} 00:00:00`, last_seen_at: "2026-11-21 06:00:00" },
      ...{ last_online_at: `${date} 09:00:00`, last_sd_error: "E1", last_sd_error_at: `${date} 09:00:00` },
    })),
    fact_zone_opening: each((i) => ({
      ...{ zone_id: i, date, opens_at: `${date} 08:00:00`, closes_at: `${date} 20:00:00` },
    })),
    fact_device_day: each((i) => ({ device_id: i, zone_id: i, date, ...seconds(i) })),
    fact_zone_uptime: each((i) => ({
      ...{ zone_id: i, date, start_at: `${date} 00:00:00`, end_at: "2026-11-19 00:00:00", ...seconds(i) },
    })),
    fact_outage: each((i) => ({
      ...{ outage_key: `o${i}`, device_id: i, zone_id: i, date, started_at: `${date} 09:00:00` },
      ...{ ended_at: `${date} 10:00:00`, seen_up_at: `${date} 12:00:00`, is_open: false },
      down_seconds: 1_800 + i,
    })),
    fact_silence: each((i) => ({
      ...{ device_id: i, zone_id: i, date, from_at: `${date} 09:00:00`, silent_seconds: 601 + i },
    })),
  };
}

/** Wraps a mart to count the rows read, and to note its statements. */
function counting(mart: PublishedMart) {
  const counted = { rows: 0, statements: [] as string[] };
  const note = (...statement: readonly unknown[]) =>
    counted.statements.push(
      JSON.stringify(statement, (_key, value) => (typeof value === "bigint" ? `${value}` : value)),
    );
  const reader: PublishedMart = {
    ...mart,
    async all<Row>(sql: string, parameters?: Parameters<PublishedMart["all"]>[1]) {
      note(sql, parameters);
      const rows = await mart.all<Row>(sql, parameters);
      counted.rows += rows.length;
      return rows;
    },
    async stream(sql, parameters) {
      note(sql, parameters);
      const stream = await mart.stream(sql, parameters);
      const each = async function* () {
        for await (const row of stream.rows) {
          counted.rows += 1;
          yield row;
        }
      };
      return { ...stream, rows: each() };
    },
  };
  return { reader, counted };
}

it.each<ReportWords>([
  { report: "plays", by: ["zone"] },
  { report: "compliance", by: ["zone"] },
  { report: "uptime", by: ["zone"] },
  { report: "outages" },
  { report: "silences" },
  { report: "devices" },
  { report: "single-plays" },
  { report: "single-plays", item: ["1"] },
  { report: "single-plays", artist: ["1"] },
  { report: "loads" },
  { report: "rejects" },
  { report: "quality" },
])("reads few rows for a page's content above its table, and nothing twice: %j", async (words) => {
  const mart = await openLarge();
  try {
    const { reader, counted } = counting(mart);
    const request = parseReportOptions({ ...words, format: "html" });
    const report = await runReport(reader, request, now);
    let tableRows = 0;
    for await (const _row of report.rows) tableRows += 1;
    expect(tableRows).toBeGreaterThanOrEqual(size);
    const page = await describePage(report);
    expect(page?.headline).not.toBe("");
    expect(counted.rows - tableRows).toBeLessThanOrEqual(mostRows);
    const { statements } = counted;
    // Both the note and the answer on devices count their states, and those on uptime list planned notices.
    const repeated = statements.filter((statement, index) => statements.indexOf(statement) < index);
    if (words.report !== "devices" && words.report !== "uptime") expect(repeated).toEqual([]);
  } finally {
    mart.close();
  }
});

it("reads few rows for the overview", async () => {
  const mart = await openLarge();
  try {
    const { reader, counted } = counting(mart);
    const { worst } = await buildOverview(reader, now, {});
    expect(worst).toHaveLength(3);
    expect(counted.rows).toBeLessThanOrEqual(mostRows);
  } finally {
    mart.close();
  }
});
