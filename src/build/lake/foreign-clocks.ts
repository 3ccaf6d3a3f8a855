import type { Engine } from "../../engines/engine.ts";
import { insertRows } from "../../engines/statements.ts";
import { readSql } from "../../util/files/package-files.ts";
import type { KindDay } from "../day-ranges.ts";

interface ForeignClock {
  machine: string;
  zone_id: number;
  time_zone: string;
}

/**
 * Remembers which zones have another clock in the union than on their machine.
 * @returns the machines' days of plays in zones for which this changed
 */
export async function changeClocks(engine: Engine): Promise<KindDay[]> {
  const now = await engine.all<ForeignClock & Record<string, string | number>>(
    readSql("build/lake/foreign_clocks.sql"),
  );
  const before = await engine.all<ForeignClock & Record<string, string | number>>(
    "select machine, zone_id, time_zone from core.lake_clock",
  );
  const changed = differenceOf(now, before);
  if (changed.length === 0) return [];
  await engine.run("delete from core.lake_clock");
  await insertRows(
    engine,
    "core.lake_clock",
    { machine: "varchar", zone_id: "bigint", time_zone: "varchar" },
    now.map(({ machine, zone_id: zoneId, time_zone: timeZone }) => [machine, zoneId, timeZone]),
  );
  return await engine.all<KindDay & Record<string, string>>(
    `select distinct kind, date from lake.play where zone_id in (${changed.map(() => "?").join(", ")})`,
    changed,
  );
}

/** Zones of rows that only one of the two has. */
function differenceOf(now: readonly ForeignClock[], before: readonly ForeignClock[]): number[] {
  const keyOf = (row: ForeignClock) => JSON.stringify([row.machine, row.zone_id, row.time_zone]);
  const [keysNow, keysBefore] = [new Set(now.map(keyOf)), new Set(before.map(keyOf))];
  const rows = [
    ...now.filter((row) => !keysBefore.has(keyOf(row))),
    ...before.filter((row) => !keysNow.has(keyOf(row))),
  ];
  return [...new Set(rows.map(({ zone_id: zoneId }) => zoneId))];
}
