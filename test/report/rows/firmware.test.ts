import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../../src/report/options/parse-request.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { addDays, formatWeek, listDaysBetween } from "../../../src/util/local-date.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { tempPrefix } from "../../support/temp-folder.ts";
import { publishDeviceCase } from "../publish-device-case.ts";
import { rowsOf } from "../report-rows.ts";

const now = new Date("2026-11-21T06:00:00Z");
const period = { from: "2026-10-24", to: "2026-11-20" };
const days = listDaysBetween(period.from, period.to);
const draw = randomNumbers(3);
const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

async function uptime(mart: PublishedMart, words: Omit<TypedOptions, "report">) {
  return await rowsOf(await runReport(mart, parseReportOptions({ report: "uptime", ...words }), now));
}

it("counts each device's days for the firmware that it had at the end of the day", async () => {
  const mart = await publishDeviceCase("firmware-update", now);
  const rows = await uptime(mart, { from: "2026-03-10", to: "2026-03-14", by: ["firmware"] });
  const seconds = (row: Record<string, unknown>) =>
    ["up_seconds", "down_seconds", "unknown_seconds"].reduce((sum, name) => sum + Number(row[name]), 0);
  const hours = rows.map((row) => [row.firmware, row.devices, seconds(row) / 3600]);
  // Device 110 counts from 06:00 on 10 March to 06:00 on 14 March, 120 for 50 hours, 130 from noon on 11 March.
  expect(hours).toEqual([
    ["(none)", 1, 12],
    ["2", 2, 90 + 50],
    ["3", 1, 6],
    ["5", 1, 48 + 6],
  ]);
});

const zoneIds = Array.from({ length: 20 }, (_, index) => index + 1);
const devices = zoneIds.flatMap((zone) =>
  [10 * zone, 10 * zone + 1].map((device) => ({
    zone,
    device,
    updated: draw(4) === 0 ? undefined : addDays(period.from, 1 + draw(27)),
    before: {
      platform: pick(["linux", "signbox"]),
      model: pick(["m1", "m2", null]),
      firmware: pick(["1", "2"]),
    },
    after: { platform: pick(["linux", ""]), model: pick(["m2", "m3"]), firmware: pick(["2", "3", null]) },
  })),
);
const deviceDays = devices.flatMap((one) =>
  days.map((date) => ({
    ...one,
    date,
    up: draw(80_000),
    down: draw(4_000),
    ...(one.updated !== undefined && date >= one.updated ? one.after : one.before),
  })),
);
const regions = new Map(zoneIds.map((zone) => [zone, pick(["North", "South"])]));

let folder: string;
let mart: PublishedMart;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), tempPrefix));
  const ofDay = ({ date, up, down }: { date: string; up: number; down: number }) => ({
    ...{
      date,
      up_seconds: up,
      down_seconds: down,
      unknown_seconds: 0,
      open_up_seconds: 0,
      open_down_seconds: 0,
    },
    ...{ planned_down_seconds: 0, silent_seconds: 0, playing_while_down_seconds: 0, outages: 0 },
  });
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T04:10:00.000Z",
    rows: {
      dim_zone: zoneIds.map((id) => ({ zone_id: id, zone_name: `Zone ${id}` })),
      dim_device: devices.map(({ zone, device }) => ({ device_id: device, zone_id: zone })),
      bridge_zone_attribute: zoneIds.map((id) => ({
        ...{ zone_id: id, attribute_name: "region", attribute_value: regions.get(id) ?? "" },
        ...{ valid_from: "1900-01-01", valid_to: "2099-12-31" },
      })),
      bridge_device_firmware: devices.flatMap(({ device, updated, before, after }) => {
        const whole = { device_id: device, valid_from: "1900-01-01", valid_to: "2099-12-31" };
        return updated === undefined
          ? [{ ...whole, ...before }]
          : [
              { ...whole, ...before, valid_to: addDays(updated, -1) },
              { ...whole, ...after, valid_from: updated },
            ];
      }),
      fact_device_day: deviceDays.map((day) => ({ device_id: day.device, zone_id: day.zone, ...ofDay(day) })),
      // A zone's days differ from those of its devices.
      fact_zone_uptime: zoneIds.flatMap((zone) =>
        days.map((date) => ({ zone_id: zone, ...ofDay({ date, up: 86_400, down: 0 }) })),
      ),
    },
  });
  mart = await openPublished(folder, { threads: 1 });
});
afterAll(() => {
  mart.close();
  rmSync(folder, { recursive: true });
});

type Day = (typeof deviceDays)[number];
const keys: Readonly<Record<string, [column: string, of: (day: Day) => unknown]>> = {
  firmware: ["firmware", ({ firmware }) => firmware ?? "(none)"],
  model: ["model", ({ model }) => model ?? "(none)"],
  platform: ["platform", ({ platform }) => platform || "(none)"],
  zone: ["zone_id", ({ zone }) => zone],
  date: ["date", ({ date }) => date],
  week: ["week", ({ date }) => formatWeek(date)],
  region: ["region", ({ zone }) => regions.get(zone)],
};

describe("uptime by what devices are equals sums of the devices' days", () => {
  it.each<[by: string[], where?: string]>([
    [["firmware"]],
    [["model"]],
    [["platform"]],
    [["platform", "model", "firmware"]],
    [["zone", "firmware"]],
    [["week", "firmware"], "North"],
    [["date", "model"], "South"],
    [["region", "firmware"]],
  ])("by %s where region=%s", async (by, where) => {
    const sums = new Map<string, { up: number; down: number; devices: Set<number> }>();
    for (const day of deviceDays.filter(({ zone }) => where === undefined || regions.get(zone) === where)) {
      const key = JSON.stringify(by.map((word) => keys[word]?.[1](day)));
      const sum = sums.get(key) ?? { up: 0, down: 0, devices: new Set() };
      sums.set(key, { up: sum.up + day.up, down: sum.down + day.down, devices: sum.devices.add(day.device) });
    }
    const rows = await uptime(mart, {
      ...period,
      by,
      ...(where !== undefined && { where: [`region=${where}`] }),
    });
    const found = rows.map((row) => [
      JSON.stringify(by.map((word) => row[keys[word]?.[0] ?? ""])),
      { up: row.up_seconds, down: row.down_seconds, devices: row.devices },
    ]);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries([...sums].map(([key, sum]) => [key, { ...sum, devices: sum.devices.size }])),
    );
    expect(found).toHaveLength(sums.size);
  });

  it("compares the firmware of two periods", async () => {
    const rows = await uptime(mart, {
      from: "2026-11-07",
      to: "2026-11-20",
      by: ["firmware"],
      compare: "before",
    });
    // The first day of the data is left out, with its counterpart.
    const upOf = (firmware: unknown, from: string, to: string) =>
      deviceDays
        .filter((day) => (day.firmware ?? "(none)") === firmware && day.date >= from && day.date <= to)
        .reduce((sum, { up }) => sum + up, 0);
    for (const { firmware, up_seconds, up_seconds_then } of rows) {
      expect(up_seconds).toBe(upOf(firmware, "2026-11-08", "2026-11-20"));
      expect(up_seconds_then).toBe(upOf(firmware, "2026-10-25", "2026-11-06"));
    }
    expect(rows.map(({ firmware }) => firmware)).toEqual(["(none)", "1", "2", "3"]);
  });
});
