import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { buildMart } from "../../src/build/build-mart.ts";
import { runChecks } from "../../src/build/run-checks.ts";
import type { DeviceStatus } from "../../src/emulator/world/devices/device-status.ts";
import type { TruePlay } from "../../src/emulator/world/plays/true-play.ts";
import { World } from "../../src/emulator/world/world.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { loadHistory } from "../../src/load/history/load-history.ts";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import { listModels } from "../../src/mart/model.ts";
import { kinds } from "../../src/util/kind.ts";
import { loadDevices, loadNotices } from "../support/load-listing.ts";
import { itEachLimited, share } from "../support/long-suite.ts";
import { openNewWarehouse } from "../support/new-warehouse.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { buildOptions } from "./build-options.ts";
import { readDays, readOutages, readZoneDays } from "./device-days.ts";
import { deriveDevices, type OracleHours, type OracleSnapshot, type OracleWorld } from "./device-oracle.ts";

const hourMs = 3_600_000;
const loadedAt = new Date("2026-12-31T00:00:00Z");

/** Time zones and hours configured by the analyst, by the zone's position in the world. */
const named: Readonly<Record<number, string>> = { 0: "Europe/Berlin", 3: "America/New_York" };
const allWeek = (...spans: [number, number][]): OracleHours =>
  Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [day, spans]));
const given: Readonly<Record<number, OracleHours>> = {
  0: allWeek([0, 24]),
  1: allWeek([9, 13], [14, 20]),
  3: { 5: [[18, 27]], 6: [[18, 27]], 7: [[8, 12]] },
};

/**
 * Listings, history and notices of an emulated world over weeks, with clock changes in both directions,
 * failing listings, odd clocks and states, and a replaced device; loaded and built step by step.
 */
itEachLimited(
  [1, 2],
  0,
  1,
)("uptime and outages match a plain reference (seed %i)", async (seed) => {
  const random = randomNumbers(seed);
  const world = new World({ seed, zones: 5, days: 22, startDate: "2026-10-15", playScale: 0.15 });
  const folder = createTempFolder();
  const warehouse = await openNewWarehouse({ folder });
  await applyReference(warehouse, writeReference(folder, world));
  const land = (name: string, records: readonly unknown[]) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId: name, path };
  };

  const snapshots: OracleSnapshot[] = [];
  const planned: { from: number; until: number }[] = [];
  const end = world.endsAt.getTime();
  let at = end - 19 * 24 * hourMs;
  let historyAt = at;
  for (let step = 0; at < end; step += 1) {
    for (const groupId of world.groupIds) {
      if (random(12) === 0) continue;
      const requestedAt = new Date(at + (groupId % 2) * 4 * 60_000);
      const records = world.devices(groupId, requestedAt).flatMap((device) => distort(device, step, random));
      snapshots.push(...records.map((record) => toSnapshot(record, groupId, requestedAt)));
      const landing = { ...land(`devices-${groupId}-${step}`, records), groupId, requestedAt };
      await loadDevices(warehouse, landing, { loadedAt, serviceTimeZone: "UTC" });
    }
    if (random(6) === 0) {
      const from = Math.floor(at / 1000) - random(50_000);
      const until = from + random(20_000) + 1;
      planned.push({ from, until });
      const notice = {
        id: step,
        type: "planned",
        state: "complete",
        began_at: iso(from),
        ended_at: iso(until),
      };
      await loadNotices(
        warehouse,
        { ...land(`notices-${step}`, [notice]), requestedAt: new Date(at) },
        { loadedAt },
      );
    }
    if (step % 9 === 5) {
      historyAt = at;
      for (const kind of kinds) {
        const plays = [...world.plays({ kind, visibleAt: new Date(at) })];
        const landing = {
          ...land(`${kind}-${step}`, plays.map(toLine)),
          ...{
            kind,
            source: "export" as const,
            groupId: world.groupIds[0] ?? 0,
            requestedAt: new Date(at),
          },
          isComplete: true,
        };
        await loadHistory(warehouse, landing, { loadedAt });
      }
    }
    if (step % share(12, 12, 5) === 0) await build(warehouse, false);
    at += (3 + random(8)) * hourMs + random(3600) * 1000 + (random(15) === 0 ? 40 * hourMs : 0);
  }
  await build(warehouse, false);

  const plays = kinds.flatMap((kind) => [...world.plays({ kind, visibleAt: new Date(historyAt) })]);
  const derived = deriveDevices({
    snapshots,
    plays: plays.map(({ zoneId, startedAt, durationSecs, utcOffsetMinutes }) => ({
      zoneId,
      startedAt: startedAt / 1000,
      durationSecs,
      offsetMinutes: utcOffsetMinutes,
    })),
    timeZones: new Map(Object.entries(named).map(([index, name]) => [zoneIdOf(world, index), name])),
    hours: new Map(Object.entries(given).map(([index, hours]) => [zoneIdOf(world, index), inSeconds(hours)])),
    planned,
    historyUntil: Math.floor(historyAt / 1000),
  } satisfies OracleWorld);
  expect(derived.days.size).toBeGreaterThan(80);
  expect(derived.outages.size).toBeGreaterThan(4);
  expect(await readDays(warehouse)).toEqual(Object.fromEntries([...derived.days].sort()));
  expect(await readZoneDays(warehouse)).toEqual(Object.fromEntries([...derived.zoneDays].sort()));
  expect(await readOutages(warehouse)).toEqual(Object.fromEntries([...derived.outages].sort()));
  const failures = await runChecks(warehouse, { days: "all" });
  expect(failures.filter(({ severity, failingRows }) => severity === "error" && failingRows > 0)).toEqual([]);

  const grown = await readDeviceTables(warehouse);
  await build(warehouse, true);
  expect(await readDeviceTables(warehouse)).toEqual(grown);
});

function zoneIdOf({ zones }: World, index: string): number {
  return zones[Number(index)]?.zoneId ?? 0;
}

function inSeconds(hours: OracleHours): OracleHours {
  return Object.fromEntries(
    Object.entries(hours).map(([day, spans]) => [
      day,
      spans.map(([opens, closes]): [number, number] => [opens * 3600, closes * 3600]),
    ]),
  );
}

function writeReference(folder: string, world: World): string {
  const reference = join(folder, "reference");
  mkdirSync(reference);
  const zones = Object.entries(named).map(([index, name]) => `${zoneIdOf(world, index)},${name}\n`);
  const hours = Object.entries(given).flatMap(([index, days]) =>
    Object.entries(days).flatMap(([day, spans]) =>
      spans.map(([opens, closes]) => `${zoneIdOf(world, index)},${day},${clock(opens)},${clock(closes)}\n`),
    ),
  );
  writeFileSync(join(reference, "zone_time_zones.csv"), `zone_id,time_zone\n${zones.join("")}`);
  writeFileSync(join(reference, "opening_hours.csv"), `zone_id,day_of_week,opens,closes\n${hours.join("")}`);
  return reference;
}

function clock(hours: number): string {
  return `${String(hours % 24).padStart(2, "0")}:00`;
}

/** Distortions of real listings: missing devices, invalid states and clocks, a replaced device. */
function distort(
  device: DeviceStatus,
  step: number,
  random: (n: number) => number,
): Record<string, unknown>[] {
  const record: Record<string, unknown> = { ...device };
  if (random(25) === 0) return [];
  if ((step + 3 * device.zone_id) % 11 > 8) {
    record.status = "offline";
    const seenAt = Date.parse(`${device.last_online_date.replace(" ", "T")}Z`);
    const lastOnline = new Date(seenAt - random(9 * 3600) * 1000);
    record.last_online_date = lastOnline.toISOString().slice(0, 19).replace("T", " ");
  }
  if (random(25) === 0) record.status = "rebooting";
  if (random(25) === 0) record.last_online_date = "";
  if (random(30) === 0) record.last_online_date = "2027-01-01 00:00:00";
  const isReplacedZone = device.zone_id % 5 === 2;
  if (!isReplacedZone || step < 30) return [record];
  const old = { ...device, device_id: device.device_id + 1000, status: "offline", last_online_date: "" };
  return [
    record,
    // The old device stays listed for some days.
    ...(step < 45 ? [{ ...old, last_online_date: "2026-10-28 03:00:00" }] : []),
  ];
}

function toSnapshot(record: Record<string, unknown>, groupId: number, requestedAt: Date): OracleSnapshot {
  const online = record.last_online_date;
  return {
    groupId,
    at: Math.floor(requestedAt.getTime() / 1000),
    deviceId: Number(record.device_id),
    zoneId: Number(record.zone_id),
    status: String(record.status),
    lastOnlineAt: online === "" ? null : Date.parse(`${String(online).replace(" ", "T")}Z`) / 1000,
  };
}

function toLine({ kind, zoneId, itemId, startedAt, utcOffsetMinutes, durationSecs }: TruePlay) {
  const sign = utcOffsetMinutes < 0 ? "-" : "+";
  const minutes = Math.abs(utcOffsetMinutes);
  const offset = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const local = new Date(startedAt + utcOffsetMinutes * 60_000).toISOString().slice(0, 19);
  return {
    zone_id: zoneId,
    ...(kind === "music" ? { song_id: itemId, artist_id: 1 } : { asset_id: itemId }),
    play_start: `${local}${offset}`,
    duration_secs: durationSecs,
  };
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

async function build(warehouse: DuckDb, isFull: boolean): Promise<void> {
  await buildMart(warehouse, { ...buildOptions, isFull });
}

async function readDeviceTables(warehouse: DuckDb): Promise<Record<string, string[]>> {
  const tables = listModels().filter(
    ({ schema, table }) => schema === "mart" && /device|outage|notice|uptime|opening/.test(table),
  );
  const read: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await warehouse.all(`select * from ${name}`);
    read[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return read;
}
