import { sqlText } from "../sql-text.ts";
import type { DuckDb } from "./duckdb.ts";

/**
 * Returns each instant's local time, as `YYYY-MM-DD HH:MM`, in each time zone. Omits time zones that are unknown to
 * DuckDB. Loads compute local dates with the same time zone data; that of Node.js may be older.
 */
export async function listLocalTimes(
  database: DuckDb,
  timeZones: readonly string[],
  instants: readonly Date[],
): Promise<ReadonlyMap<string, string>[]> {
  if (timeZones.length === 0) return instants.map(() => new Map());
  const names = timeZones.map(sqlText).join(", ");
  const seconds = instants.map((instant) => instant.getTime() / 1000);
  const read = (select: string) =>
    database.all<{ name: string; second: number; time: string }>(
      `select z.name, s.second, strftime(timezone(z.name, to_timestamp(s.second)), '%Y-%m-%d %H:%M') as time
      from (${select}) as z
      cross join (select unnest([${seconds.join(", ")}]::double[]) as second) as s`,
    );
  // Fails on an unknown name. Checking the names first would take longer than the whole statement.
  const rows = await read(`select unnest([${names}]) as name`).catch(() =>
    read(`select name from pg_timezone_names() where name in (${names})`),
  );
  return seconds.map(
    (second) => new Map(rows.filter((row) => row.second === second).map(({ name, time }) => [name, time])),
  );
}
