import { sqlText } from "../sql-text.ts";
import type { DuckDb } from "./duckdb.ts";

/**
 * Returns the local date of an instant in each time zone that DuckDB knows. Loads date plays with the same time zone
 * data; that of Node.js may be older.
 */
export async function findLocalDates(
  database: DuckDb,
  timeZones: readonly string[],
  instant: Date,
): Promise<ReadonlyMap<string, string>> {
  if (timeZones.length === 0) return new Map();
  const [found] = await listLocalTimes(database, timeZones, [instant]);
  return new Map([...(found ?? [])].map(([name, time]) => [name, time.slice(0, "YYYY-MM-DD".length)]));
}

/** Returns the local times of each instant by time zone, as `YYYY-MM-DD HH:MM`. */
export async function listLocalTimes(
  database: DuckDb,
  timeZones: readonly string[],
  instants: readonly Date[],
): Promise<ReadonlyMap<string, string>[]> {
  const seconds = instants.map((instant) => instant.getTime() / 1000);
  const rows = await database.all<{ name: string; second: number; time: string }>(
    `select z.name, s.second, strftime(timezone(z.name, to_timestamp(s.second)), '%Y-%m-%d %H:%M') as time
    from pg_timezone_names() as z
    cross join (select unnest([${seconds.join(", ")}]::double[]) as second) as s
    where z.name in (${timeZones.map(sqlText).join(", ")})`,
  );
  return seconds.map(
    (second) => new Map(rows.filter((row) => row.second === second).map(({ name, time }) => [name, time])),
  );
}
