import type { DuckDb } from "../engines/duckdb.ts";
import { readSql } from "../engines/sql-file.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";
import { checkCounts, type LoadResult, takeLoadId } from "./ledger.ts";
import type { LinesTaken } from "./lines-taken.ts";
import { setVariables } from "./load-variables.ts";
import { NotTogether, type WalkPart } from "./walk-part.ts";
import { beginZoneDays } from "./zone-days.ts";

/** What was taken of a zone. */
interface ZoneCounts {
  zoneId: number;
  records: number;
  newPlays: number;
  changed: number;
  zeroSecond: number;
}

/**
 * Enters walks that were loaded as one: gives each its own number, and what its zone's lines became.
 * @throws {NotTogether} when lines tell of other zones than those that were walked
 */
export async function enterWalks(
  warehouse: DuckDb,
  parts: readonly WalkPart[],
  taken: LinesTaken,
  loadedAt: Date,
): Promise<LoadResult[]> {
  const way = taken.isNewToCore ? "first" : "known";
  const zones = await warehouse.all<ZoneCounts>(readSql(`load/${way}/count_by_zone.sql`));
  const byZone = new Map(zones.map((zone) => [zone.zoneId, zone]));
  const records = parts.reduce((sum, { landing }) => sum + (byZone.get(landing.zoneId)?.records ?? 0), 0);
  if (records !== taken.newPlays + taken.changed + taken.unchanged)
    throw new NotTogether("other zones' plays");

  const numbered = await numberParts(warehouse, parts);
  const rejects = await warehouse.all<{ loadId: number; rejected: number }>(
    readSql("load/walks/count_rejects.sql"),
  );
  const rejected = new Map(rejects.map((row) => [row.loadId, row.rejected]));
  const loads = numbered.map((part) =>
    toLoad(part, byZone.get(part.landing.zoneId), rejected.get(part.loadId) ?? 0),
  );
  await insertLoads(warehouse, numbered, loads, loadedAt);
  return loads;
}

/** Enters walks that found nothing new. */
export async function enterEmptyWalks(
  warehouse: DuckDb,
  parts: readonly WalkPart[],
  loadedAt: Date,
): Promise<LoadResult[]> {
  const numbered: WalkPart[] = [];
  for (const part of parts) numbered.push({ ...part, loadId: await takeLoadId(warehouse) });
  const loads = numbered.map((part) => toLoad(part, undefined, 0));
  await insertLoads(warehouse, numbered, loads, loadedAt);
  await beginZoneDays(warehouse);
  return loads;
}

/** The first keeps the number that all were loaded under. */
async function numberParts(warehouse: DuckDb, parts: readonly WalkPart[]): Promise<WalkPart[]> {
  const { loadId } = await warehouse.get<{ loadId: number }>(`select getvariable('load_id') as "loadId"`);
  const numbered: WalkPart[] = [];
  for (const [index, part] of parts.entries())
    numbered.push({ ...part, loadId: index === 0 ? loadId : await takeLoadId(warehouse) });
  const rows = numbered.map(({ loadId: own, landing, linesBefore, lines }) => ({
    load_id: own,
    zone_id: landing.zoneId,
    lines_before: linesBefore,
    lines,
  }));
  await setVariables(warehouse, { parts: JSON.stringify(rows) });
  await warehouse.run(readSql("load/walks/part_loads.sql"));
  return numbered;
}

function toLoad(part: WalkPart, zone: ZoneCounts | undefined, rejected: number): LoadResult {
  const { landing, loadId, bytes, lines, blank } = part;
  const { landingId, kind, zoneId } = landing;
  const { records, newPlays, changed, zeroSecond } = zone ?? {
    records: 0,
    newPlays: 0,
    changed: 0,
    zeroSecond: 0,
  };
  const duplicate = lines - blank - rejected - records;
  if (duplicate < 0) throw new NotTogether("other zones' plays");
  const unchanged = records - newPlays - changed;
  const counts = { lines, newPlays, changed, unchanged, duplicate, rejected, blank, zeroSecond, vanished: 0 };
  checkCounts(counts);
  return {
    loadId,
    landingId,
    source: "walk",
    kind,
    groupId: null,
    zoneId,
    bytes,
    ...counts,
    isRepeat: false,
  };
}

async function insertLoads(
  warehouse: DuckDb,
  parts: readonly WalkPart[],
  loads: readonly LoadResult[],
  loadedAt: Date,
): Promise<void> {
  const rows = loads.map((load, index) => {
    const { requestedAt, isComplete } = (parts[index] as WalkPart).landing;
    return {
      load_id: load.loadId,
      landing_id: load.landingId,
      kind: load.kind,
      zone_id: load.zoneId,
      requested_at: sqlTimestamp(requestedAt),
      loaded_at: sqlTimestamp(loadedAt),
      is_complete: isComplete,
      bytes: load.bytes,
      lines: load.lines,
      new_plays: load.newPlays,
      changed: load.changed,
      unchanged: load.unchanged,
      duplicate: load.duplicate,
      rejected: load.rejected,
      blank: load.blank,
      zero_second: load.zeroSecond,
    };
  });
  await warehouse.run(readSql("load/walks/insert_loads.sql"), [JSON.stringify(rows)]);
}
