import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { loadHistory } from "../../src/load/history/load-history.ts";
import { loadListings } from "../../src/load/listing/load-listings.ts";
import type { ListingLanding } from "../../src/load/listing/read-listings.ts";
import { applyReference } from "../../src/load/reference/apply-reference.ts";
import type { Kind } from "../../src/util/kind.ts";
import { readCsvRows } from "../support/core-rows.ts";
import { loadDevices, loadNotices } from "../support/load-listing.ts";

type Row = Record<string, string | null>;

export interface DeviceCaseSettings {
  /** Time zone of date-times without an offset. */
  serviceTimeZone?: string;
  /** Request time of the history; by default that of the last devices listing. */
  historyRequestedAt?: string;
}

const loadedAt = new Date("2026-12-31T00:00:00Z");

/** One landing of a case, ready to load. */
export type CaseLoad = (warehouse: DuckDb) => Promise<unknown>;

interface TimedLoad {
  requestedAt: Date;
  load: CaseLoad;
  /** Set for listings of devices. */
  listing?: ListingLanding;
}

/** Loads a case's landings in order; consecutive listings of devices are loaded together, as in a sync. */
export async function loadCase(
  warehouse: DuckDb,
  folder: string,
  landingFolder: string,
  settings: DeviceCaseSettings,
): Promise<void> {
  const { serviceTimeZone = "UTC" } = settings;
  let listings: ListingLanding[] = [];
  const loadListed = async () => {
    for (const result of await loadListings(warehouse, listings, { serviceTimeZone, loadedAt })) {
      if (result instanceof Error) throw result;
    }
    listings = [];
  };
  for (const { load, listing } of listTimedLoads(folder, landingFolder, settings)) {
    if (listing) {
      listings.push(listing);
      continue;
    }
    await loadListed();
    await load(warehouse);
  }
  await loadListed();
}

/**
 * Lists a case's landings in order of their requests: listings of devices (one per group and instant), an
 * export of history per kind, notices. The reference files come with the first.
 * @param folder of the case
 * @param landingFolder receives the files
 */
export function listLoads(folder: string, landingFolder: string, settings: DeviceCaseSettings): CaseLoad[] {
  return listTimedLoads(folder, landingFolder, settings).map(({ load }) => load);
}

function listTimedLoads(
  folder: string,
  landingFolder: string,
  { serviceTimeZone = "UTC", historyRequestedAt }: DeviceCaseSettings,
): TimedLoad[] {
  mkdirSync(landingFolder, { recursive: true });
  const land = (landingId: string, records: readonly unknown[]) => {
    const path = join(landingFolder, `${landingId}.jsonl`);
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return { landingId, path };
  };
  const devices = readRows(folder, "devices.csv");
  const listings = groupBy(devices, (row) => `${row.requested_at} ${row.group_id ?? 1}`);
  const lastRequest = [...devices.map((row) => row.requested_at ?? "")].sort().at(-1);
  const plays = groupBy(readRows(folder, "plays.csv"), ({ kind }) => (kind ?? "music") as Kind);

  const loads: TimedLoad[] = [...listings.values()].map((rows, index) => {
    const requestedAt = toDate(rows[0]?.requested_at);
    const groupId = Number(rows[0]?.group_id ?? 1);
    // A row without a device represents an empty listing.
    const records = rows
      .filter(({ device_id: id }) => id)
      .map(({ requested_at: _at, group_id: _id, ...row }) => row);
    const landing = { ...land(`devices-${index}`, records), groupId, requestedAt };
    return {
      requestedAt,
      listing: { ...landing, source: "devices" },
      load: (warehouse) => loadDevices(warehouse, landing, { serviceTimeZone, loadedAt }),
    };
  });
  for (const [kind, rows] of plays) {
    const requestedAt = toDate(historyRequestedAt ?? lastRequest);
    const landing = {
      ...land(
        `history-${kind}`,
        rows.map((row) => toLine(kind, row)),
      ),
      kind,
      source: "export" as const,
      groupId: 1,
      requestedAt,
      isComplete: true,
    };
    loads.push({ requestedAt, load: (warehouse) => loadHistory(warehouse, landing, { loadedAt }) });
  }
  const notices = readRows(folder, "notices.csv");
  if (notices.length > 0) {
    const requestedAt = toDate(lastRequest);
    const landing = { ...land("notices", notices), requestedAt };
    loads.push({ requestedAt, load: (warehouse) => loadNotices(warehouse, landing, { loadedAt }) });
  }
  const reference = join(folder, "reference");
  if (existsSync(reference)) {
    loads.unshift({ requestedAt: new Date(0), load: (warehouse) => applyReference(warehouse, reference) });
  }
  return loads.sort((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
}

function groupBy<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function readRows(folder: string, name: string): Row[] {
  const path = join(folder, name);
  return existsSync(path) ? readCsvRows(path) : [];
}

/** Parses `2026-03-10 08:00` and similar, as UTC. */
function toDate(text: string | null | undefined): Date {
  return new Date(`${(text ?? "").replace(" ", "T")}Z`);
}

function toLine(kind: Kind, { zone_id, item_id, play_start, duration_secs }: Row): Record<string, unknown> {
  const id = Number(item_id ?? 1);
  const item =
    kind === "music"
      ? { song_id: id, song_name: "A song", artist_id: 40, artist_name: "An artist" }
      : { asset_id: id, asset_name: "An asset" };
  return {
    location_id: 51,
    location_name: "Main Street",
    zone_id: Number(zone_id),
    zone_name: `Zone ${zone_id}`,
    duration_secs: Number(duration_secs),
    play_start,
    ...item,
  };
}
