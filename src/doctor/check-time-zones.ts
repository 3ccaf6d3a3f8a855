import type { Settings } from "../config/settings.ts";
import { DuckDb } from "../engines/duckdb/duckdb.ts";
import { listLocalTimes } from "../engines/duckdb/local-dates.ts";
import { withPublished } from "../report/published/with-published.ts";
import { createClock } from "../util/clock.ts";
import { VenueError } from "../util/venue-error.ts";

const dayMs = 86_400_000;

/**
 * Compares the time zone data of Node.js, which `venue schedule` uses, with that of DuckDB, which computes the
 * local dates of plays. Checks the schedule's and all zones' time zones on each day of the coming year.
 * @throws {VenueError} `TIME_ZONES_DIFFER` if `venue schedule` would start commands at wrong times
 */
export async function checkTimeZones(settings: Settings, signal: AbortSignal): Promise<string> {
  const ofSchedule =
    settings.find("VENUE_SCHEDULE_TIME_ZONE") ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const names = [...new Set([ofSchedule, ...(await listTimeZones(settings, signal))])];
  const from = createClock(settings.find("VENUE_NOW")).now().getTime();
  const days = Array.from({ length: 366 }, (_, day) => new Date(from + day * dayMs));
  const differences = await findDifferences(names, days);
  const [first] = differences.values();
  if (first === undefined) return "Node.js and DuckDB have the same time zone data for the next year";
  const all = `Node.js (time zone data ${process.versions.tz}) and DuckDB differ in ${[...differences.keys()].join(", ")}: ${first}`;
  if (!differences.has(ofSchedule)) return `${all}. Local dates follow DuckDB`;
  throw new VenueError(
    "TIME_ZONES_DIFFER",
    "usage",
    `${all}. \`venue schedule\` would start commands at other times than local clocks show. Update Node.js, and this program if they still differ.`,
  );
}

/** Returns the first difference in each differing time zone. */
async function findDifferences(
  timeZones: readonly string[],
  instants: readonly Date[],
): Promise<ReadonlyMap<string, string>> {
  const database = await DuckDb.open();
  try {
    const times = await listLocalTimes(database, timeZones, instants);
    const found = new Map<string, string>();
    for (const timeZone of timeZones) {
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
      for (const [index, instant] of instants.entries()) {
        const [ofNode, ofDuckDb] = [format.format(instant), times[index]?.get(timeZone)];
        if (ofDuckDb === undefined || ofNode === ofDuckDb) continue;
        found.set(timeZone, `${instant.toISOString().slice(0, 16)}Z is ${ofNode} and ${ofDuckDb}`);
        break;
      }
    }
    return found;
  } finally {
    database.close();
  }
}

/** Lists zone time zones in the published version, from `zone_time_zones.csv`. */
async function listTimeZones(settings: Settings, signal: AbortSignal): Promise<string[]> {
  try {
    return await withPublished(settings, signal, async (mart) =>
      (
        await mart.all<{ time_zone: string }>(
          "select distinct time_zone from dim_zone where time_zone is not null order by 1",
        )
      ).map(({ time_zone: timeZone }) => timeZone),
    );
  } catch (error) {
    // Other checks report problems with the published data.
    if (error instanceof VenueError) return [];
    throw error;
  }
}
