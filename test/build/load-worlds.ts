import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { loadHistory } from "../../src/load/history/load-history.ts";
import { loadListings } from "../../src/load/listing/load-listings.ts";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import { loadNotices } from "../support/load-listing.ts";
import type { OracleSnapshot, OracleWorld } from "./device-oracle.ts";

const loadedAt = new Date("2026-12-31T00:00:00Z");
const loading = { loadedAt, serviceTimeZone: "UTC" };

/** Loads the listings of worlds, many at a time, then their plays. All worlds share notices and history. */
export async function loadWorlds(
  warehouse: DuckDb,
  folder: string,
  worlds: readonly OracleWorld[],
): Promise<void> {
  const land = (landingId: string, records: readonly unknown[]) => {
    const path = join(folder, `${landingId}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId, path };
  };
  await applyReference(warehouse, writeReference(folder, worlds));
  // Interleaves the listings of all worlds, so that many are loaded at a time.
  const listings = worlds.flatMap(({ snapshots }) =>
    [...new Set(snapshots.map(({ at }) => at))].map((at, round) => ({
      ...{ at, round, listed: snapshots.filter((snapshot) => snapshot.at === at) },
    })),
  );
  const landings = listings
    .toSorted((a, b) => a.round - b.round)
    .map(({ at, listed }, index) => ({
      ...land(`devices-${index}`, listed.map(toDevice)),
      ...{ source: "devices" as const, groupId: listed[0]?.groupId ?? 0, requestedAt: new Date(at * 1000) },
    }));
  for (const result of await loadListings(warehouse, landings, loading))
    if (result instanceof Error) throw result;
  const { planned = [], historyUntil = 0 } = worlds[0] ?? {};
  const requestedAt = new Date(historyUntil * 1000);
  const notices = planned.map(({ from, until }, id) => ({
    ...{ id, type: "planned", state: "complete", began_at: iso(from), ended_at: iso(until) },
  }));
  await loadNotices(warehouse, { ...land("notices", notices), requestedAt }, loading);
  const history = {
    ...land("history", worlds.flatMap(({ plays }) => plays).map(toLine)),
    ...{ kind: "music" as const, source: "export" as const, groupId: 1 },
    ...{ requestedAt, isComplete: true },
  };
  await loadHistory(warehouse, history, { loadedAt });
}

function writeReference(folder: string, worlds: readonly OracleWorld[]): string {
  const reference = join(folder, "reference");
  mkdirSync(reference, { recursive: true });
  const zones = worlds.flatMap(({ timeZones }) => [...timeZones]);
  const hours = worlds
    .flatMap((world) => [...world.hours])
    .flatMap(([zoneId, days]) =>
      Object.entries(days).flatMap(([day, spans]) =>
        spans.map(([opens, closes]) => [
          zoneId,
          day,
          clock(opens),
          closes === 86_400 ? "24:00" : clock(closes),
        ]),
      ),
    );
  const write = (name: string, rows: readonly unknown[][]) =>
    writeFileSync(join(reference, name), rows.map((row) => `${row.join()}\n`).join(""));
  write("zone_time_zones.csv", [["zone_id", "time_zone"], ...zones]);
  write("opening_hours.csv", [["zone_id", "day_of_week", "opens", "closes"], ...hours]);
  return reference;
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16);
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function toDevice({ deviceId, zoneId, status, lastOnlineAt }: OracleSnapshot): Record<string, unknown> {
  const online = lastOnlineAt === null ? "" : iso(lastOnlineAt).slice(0, 19).replace("T", " ");
  return { device_id: deviceId, zone_id: zoneId, status, last_online_date: online };
}

function toLine(
  { zoneId, startedAt, offsetMinutes, durationSecs }: OracleWorld["plays"][number],
  index: number,
): Record<string, unknown> {
  const minutes = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${clock(minutes * 60)}`;
  const play_start = `${iso(startedAt + offsetMinutes * 60).slice(0, 19)}${offset}`;
  return { zone_id: zoneId, song_id: index, artist_id: 1, play_start, duration_secs: durationSecs };
}
