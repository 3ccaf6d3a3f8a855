import { describe, expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import type { ReportColumn } from "../../../src/report/result-types.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { formatMetrics } from "../../../src/report/signals/metrics.ts";
import { readSignals } from "../../../src/report/signals/signals.ts";
import { itEachSampled, itInAll } from "../../support/long-suite.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { publishDeviceCase } from "../publish-device-case.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-03-20T06:00:00Z");

async function report(mart: PublishedMart, words: TypedOptions) {
  const result = await runReport(mart, parseReportOptions(words), now);
  return { ...result, rows: await rowsOf(result) };
}

/** The promised columns, in the report's order; it may have others. */
function promisedOf(columns: readonly ReportColumn[], promised: string): string {
  const names = columns.map(({ name }) => name);
  return names.filter((name) => promised.split(", ").includes(name)).join(", ");
}

const outageDays = { from: "2026-03-10", to: "2026-03-11" };

describe("uptime", () => {
  it("has its columns in order", async () => {
    const mart = await publishDeviceCase("outages", now);
    const { columns, rows } = await report(mart, { report: "uptime", ...outageDays });
    const promised =
      "devices, up_seconds, down_seconds, unknown_seconds, availability, coverage, open_availability, " +
      "planned_down_seconds, availability_without_planned, outages, silent_seconds, playing_while_down_seconds, " +
      "resolution_seconds";
    expect(promisedOf(columns, promised)).toBe(promised);
    // Up: 14,400 + 25,200 + 31,800 + 42,600; down: 28,800 + 18,000 + 11,400 + 600.
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([
      {
        devices: 4,
        up_seconds: 114_000,
        down_seconds: 58_800,
        unknown_seconds: 0,
        availability: 114_000 / 172_800,
        coverage: 1,
        open_availability: null,
        planned_down_seconds: 0,
        availability_without_planned: 114_000 / 172_800,
        outages: 3,
        silent_seconds: 0,
        playing_while_down_seconds: 0,
        resolution_seconds: 10_800,
      },
    ]);
  });

  itEachSampled(
    [
      [
        "device",
        [
          [110, 14_400, 28_800, 1],
          [120, 25_200, 18_000, 1],
          [130, 31_800, 11_400, 1],
          [140, 42_600, 600, 0],
        ],
      ],
      [
        "zone",
        [
          [11, "Zone 11", 14_400, 28_800, 1],
          [12, "Zone 12", 25_200, 18_000, 1],
          [13, "Zone 13", 31_800, 11_400, 1],
          [14, "Zone 14", 42_600, 600, 0],
        ],
      ],
      ["group", [[1, "Group 1", 114_000, 58_800, 3]]],
      [
        "date",
        [
          ["2026-03-10", 79_200, 7200, 1],
          ["2026-03-11", 34_800, 51_600, 2],
        ],
      ],
      ["week", [["2026-W11", 114_000, 58_800, 3]]],
      ["month", [["2026-03", 114_000, 58_800, 3]]],
    ] as readonly [by: string, rows: (string | number)[][]][],
    2,
  )("--by %s", async ([by, expected]) => {
    const mart = await publishDeviceCase("outages", now);
    const { columns, rows } = await report(mart, { report: "uptime", ...outageDays, by: [by] });
    const keys = columns.slice(
      0,
      columns.findIndex(({ name }) => ["devices", "up_seconds"].includes(name)),
    );
    // By device, each row has exactly one.
    expect(columns.some(({ name }) => name === "devices")).toBe(by !== "device");
    const shown = [...keys.map(({ name }) => name), "up_seconds", "down_seconds", "outages"];
    expect(rows.map((row) => shown.map((name) => row[name]))).toEqual(expected);
  });

  itEachSampled(
    [
      [["zone"], [[25_200, 1]]],
      [[], [[25_200, 1]]],
      [
        ["device"],
        [
          [32_400, 1],
          [46_800, 1],
        ],
      ],
    ] as readonly [by: string[], downs: [seconds: number, outages: number][]][],
    2,
  )("counts the outages of its downtime, by %j", async ([by, downs]) => {
    const mart = await publishDeviceCase("two-devices-down-together", now);
    const { rows } = await report(mart, { report: "uptime", from: "2026-03-10", to: "2026-03-10", by });
    expect(rows.map((row) => [row.down_seconds, row.outages])).toEqual(downs);
  });

  it("--by device and date, for one zone and one day", async () => {
    const mart = await publishDeviceCase("outages", now);
    const { rows } = await report(mart, {
      report: "uptime",
      from: "2026-03-11",
      to: "2026-03-11",
      zone: ["12"],
      by: ["date", "device"],
    });
    expect(rows).toMatchObject([
      { device_id: 120, date: "2026-03-11", up_seconds: 3600, down_seconds: 18_000, availability: 1 / 6 },
    ]);
  });

  it("reports open hours, planned maintenance and silence in addition to downtime", async () => {
    const bar = await publishDeviceCase("open-past-midnight", now);
    const { rows } = await report(bar, {
      report: "uptime",
      from: "2026-03-13",
      to: "2026-03-14",
      by: ["zone"],
    });
    expect(rows).toMatchObject([
      { zone_id: 11, open_availability: 1, silent_seconds: 9000 },
      // Open and up 7,200 s, open and down 21,600 s.
      { zone_id: 12, open_availability: 0.25, silent_seconds: 0, playing_while_down_seconds: 4800 },
    ]);
    const planned = await publishDeviceCase("planned-maintenance", now);
    const total = await report(planned, { report: "uptime", from: "2026-03-10", to: "2026-03-10" });
    expect(total.rows).toMatchObject([
      {
        up_seconds: 7200,
        down_seconds: 36_000,
        availability: 7200 / 43_200,
        planned_down_seconds: 10_800,
        availability_without_planned: 7200 / 32_400,
      },
    ]);
  });

  it("is a row of zeros without data, with its data as of", async () => {
    const mart = await publishDeviceCase("outages", now);
    const { rows, dataAsOf } = await report(mart, { report: "uptime", from: "2026-01-01", to: "2026-01-02" });
    expect(rows).toMatchObject([{ devices: 0, up_seconds: 0, availability: null, resolution_seconds: null }]);
    expect(dataAsOf).toBe("2026-03-11T06:00:00Z");
    const none = await report(mart, { report: "uptime", from: "2026-01-01", to: "2026-01-02", by: ["zone"] });
    expect(none.rows).toEqual([]);
  });
});

describe("outages", () => {
  it("lists outages that overlap the period, in chronological order", async () => {
    const mart = await publishDeviceCase("outages", now);
    const { columns, rows } = await report(mart, { report: "outages", ...outageDays });
    const promised =
      "zone_id, zone_name, location_name, device_id, started_at, ended_at, seen_up_at, down_seconds, is_open, planned, notices";
    expect(promisedOf(columns, promised)).toBe(promised);
    const other = { location_name: null, planned: false, notices: null };
    expect(rows).toMatchObject([
      {
        ...{ zone_id: 11, zone_name: "Zone 11", device_id: 110, ...other },
        ...{ started_at: "2026-03-10T22:00:00Z", ended_at: "2026-03-11T06:00:00Z" },
        ...{ seen_up_at: "2026-03-11T06:00:00Z", down_seconds: 28_800, is_open: false },
      },
      {
        ...{ zone_id: 12, zone_name: "Zone 12", device_id: 120, ...other },
        ...{ started_at: "2026-03-11T01:00:00Z", ended_at: null },
        ...{ seen_up_at: null, down_seconds: 18_000, is_open: true },
      },
      {
        ...{ zone_id: 13, zone_name: "Zone 13", device_id: 130, ...other },
        ...{ started_at: "2026-03-11T02:50:00Z", ended_at: "2026-03-11T06:00:00Z" },
        ...{ down_seconds: 11_400, is_open: false },
      },
    ]);
  });

  itEachSampled(
    [
      ["2026-03-10", [[110, "2026-03-10T22:00:00Z", "2026-03-11T06:00:00Z", 7200, false]]],
      [
        "2026-03-11",
        [
          [110, "2026-03-10T22:00:00Z", "2026-03-11T06:00:00Z", 21_600, false],
          [120, "2026-03-11T01:00:00Z", null, 18_000, true],
          [130, "2026-03-11T02:50:00Z", "2026-03-11T06:00:00Z", 11_400, false],
        ],
      ],
      ["2026-03-12", []],
    ],
    2,
  )("have their actual start and end, and the downtime within %s", async ([date, expected]) => {
    const mart = await publishDeviceCase("outages", now);
    const { rows } = await report(mart, { report: "outages", from: date, to: date });
    expect(
      rows.map((row) => [row.device_id, row.started_at, row.ended_at, row.down_seconds, row.is_open]),
    ).toEqual(expected);
  });

  it("limits the list to the longest, or to a zone", async () => {
    const mart = await publishDeviceCase("outages", now);
    const top = await report(mart, { report: "outages", ...outageDays, top: "2" });
    expect(top.rows.map((row) => row.device_id)).toEqual([110, 120]);
    const zone = await report(mart, { report: "outages", ...outageDays, zone: ["13"] });
    expect(zone.rows.map((row) => row.device_id)).toEqual([130]);
  });

  it("names overlapping notices", async () => {
    const mart = await publishDeviceCase("planned-maintenance", now);
    const { rows } = await report(mart, { report: "outages", from: "2026-03-10", to: "2026-03-10" });
    expect(rows).toMatchObject([{ planned: true, notices: "1, 2, 3, 4" }]);
  });
});

describe("a zone whose device moved away", () => {
  itEachSampled([["uptime"], ["outages"]], 1)("had a checked device: %s", async ([name]) => {
    const mart = await publishDeviceCase("device-moves-to-another-time-zone", now);
    const { notes } = await report(mart, {
      report: name,
      zone: ["11"],
      from: "2026-11-10",
      to: "2026-11-12",
    });
    expect(notes).not.toContain("No device has been checked yet in these zones.");
  });

  it("has no device now, but had one", async () => {
    const mart = await publishDeviceCase("device-moves-to-another-time-zone", now);
    const { rows } = await report(mart, { report: "quality", zone: ["11", "12"] });
    expect(rows.filter(({ section }) => section === "zones_without_device")).toEqual([
      {
        section: "zones_without_device",
        subject: "zone 11",
        value: "never",
        note: "date of its last play; its device has since been listed in another zone",
      },
    ]);
  });
});

itInAll("quality names zones that still play although their device is no longer listed", async () => {
  const { rows } = await report(await publishDeviceCase("plays-without-a-device", now), {
    report: "quality",
  });
  expect(rows.filter(({ section }) => section === "zones_without_device")).toEqual([
    {
      section: "zones_without_device",
      subject: "zone 11",
      value: "2026-03-12",
      note: "date of its last play; its device was last listed on 2026-03-10",
    },
  ]);
});

describe("outages of a device that moved to another time zone", () => {
  itEachSampled(
    [
      ["2026-11-10", [[12, "2026-11-11T02:00:00Z", "2026-11-12T12:00:00Z", 10_800]]],
      ["2026-11-11", [[12, "2026-11-11T02:00:00Z", "2026-11-12T12:00:00Z", 86_400]]],
      ["2026-11-12", [[12, "2026-11-11T02:00:00Z", "2026-11-12T12:00:00Z", 25_200]]],
      ["2026-11-13", []],
    ],
    1,
  )("count by the days of the device's zone at the time: %s", async ([date, expected]) => {
    const mart = await publishDeviceCase("device-moves-to-another-time-zone", now);
    const { rows } = await report(mart, { report: "outages", from: date, to: date });
    expect(rows.map((row) => [row.zone_id, row.started_at, row.ended_at, row.down_seconds])).toEqual(
      expected,
    );
  });
});

describe("devices", () => {
  it("shows from one listing which are down, and for how long", async () => {
    const mart = await publishDeviceCase("checked-once", now);
    const { rows, notes } = await report(mart, { report: "devices" });
    expect(notes).toEqual([
      "1 of 6 devices is in an unknown state: “sleeping” (1). Add the statuses that mean down to VENUE_DOWN_STATUS.",
      "The oldest check is 9 days old; device states may have changed since.",
      "Never collected completely: music, signage and messaging history. `venue runs` lists what failed.",
    ]);
    expect(rows.map((row) => [row.device_id, row.status, row.state, row.down_for_seconds])).toEqual([
      [130, "offline", "down", 86_400],
      [120, "offline", "down", 10_800],
      [140, "offline", "down", null],
      [150, "sleeping", "unknown", null],
      [110, "online", "up", null],
      [111, "offline", "replaced", null],
    ]);
  });

  itEachSampled(["uptime", "outages"], 1)("%s notes that one listing is not enough", async (name) => {
    const mart = await publishDeviceCase("checked-once", now);
    const words = { report: name, from: "2026-03-10", to: "2026-03-10" };
    const { notes } = await report(mart, words);
    expect(notes).toEqual(["Devices were checked only once; uptime needs two checks."]);
    expect((await report(mart, { ...words, zone: ["12"] })).notes).toEqual(notes);
  });

  it("lists current devices, most urgent first", async () => {
    const mart = await publishDeviceCase("devices-now", now);
    const { columns, rows, dataAsOf, period } = await report(mart, { report: "devices" });
    const promised =
      "zone_id, zone_name, location_name, device_id, status, state, down_for_seconds, silent_for_seconds, last_online_at, " +
      "last_play_at, last_sd_error, storage_used_share, firmware, version";
    expect(promisedOf(columns, promised)).toBe(promised);
    expect(period).toBeUndefined();
    expect(dataAsOf).toBe("2026-03-10T18:00:00Z");
    const folder = createTempFolder();
    const settings = new Settings({
      flags: {},
      environment: { VENUE_DATA_DIR: folder },
      workingFolder: folder,
    });
    expect(formatMetrics(await readSignals(settings, mart, now))).toContain(
      '\nvenue_device_down{device="130",zone="13",zone_name="Zone 13"} 1\n',
    );
    const states = rows.map((row) => [
      row.device_id,
      row.state,
      row.down_for_seconds,
      row.silent_for_seconds,
    ]);
    expect(states).toEqual([
      [130, "down", 43_200, 28_800],
      [120, "silent", null, 21_600],
      [110, "up", null, 0],
    ]);
    expect(rows[2]).toMatchObject({
      zone_id: 11,
      zone_name: "Zone 11",
      location_name: "Main Street",
      device_id: 110,
      status: "online",
      down_for_seconds: null,
      silent_for_seconds: 0,
      last_online_at: "2026-03-10T18:00:00Z",
      last_play_at: "2026-03-10T17:59:00Z",
      last_sd_error: "worn",
      storage_used_share: 0.25,
      firmware: "1.2",
      version: "5",
    });
    const top = await report(mart, { report: "devices", top: "1" });
    expect(top.rows.map((row) => row.device_id)).toEqual([130]);
    const zone = await report(mart, { report: "devices", zone: ["12"] });
    expect(zone.rows.map((row) => row.device_id)).toEqual([120]);
  });

  itEachSampled(
    [
      ["checked-once", "down", "2", [130, 120]],
      ["checked-once", "unknown,replaced", "9", [150, 111]],
      ["checked-once", "up", "1", [110]],
      ["devices-now", "silent", "1", [120]],
    ],
    2,
  )("%s: --only %s --top %s lists devices in these states", async ([name, only, top, ids]) => {
    const mart = await publishDeviceCase(name, now);
    const { rows, filters } = await report(mart, { report: "devices", only: [only], top });
    expect(rows.map((row) => row.device_id)).toEqual(ids);
    expect(filters).toEqual([`only ${only.replace(",", " or ")} devices`, `the ${top} most urgent`]);
  });
});
