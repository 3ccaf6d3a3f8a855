import { stat } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb.ts";
import { LandingUnreadableError } from "../landing-unreadable-error.ts";
import type { HistoryLanding } from "./history-landing.ts";

const dayMs = 24 * 3_600_000;

/** A landing that is being loaded. */
export interface OpenLanding extends HistoryLanding {
  loadId: number;
  /** Of the file. */
  bytes: number;
  /** A play that started later has a wrong clock: 24 hours after the history was asked for. */
  latestPlayedAt: Date;
}

/** Gives each landing its number. @throws {LandingUnreadableError} when one is missing */
export async function openLandings(
  warehouse: DuckDb,
  landings: readonly HistoryLanding[],
): Promise<OpenLanding[]> {
  const sizes: number[] = [];
  for (const { path } of landings) sizes.push(await sizeOf(path));
  const numbers = await warehouse.all<{ loadId: number }>(
    `select nextval('core.load_id') as "loadId" from range(cast(? as bigint)) order by 1`,
    [landings.length],
  );
  return landings.map((landing, index) => ({
    ...landing,
    loadId: numbers[index]?.loadId ?? 0,
    bytes: sizes[index] ?? 0,
    latestPlayedAt: new Date(landing.requestedAt.getTime() + dayMs),
  }));
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new LandingUnreadableError(path, { cause: error });
  }
}
