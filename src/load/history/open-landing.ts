import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Kind } from "../../util/kind.ts";
import { LandingUnreadableError } from "../errors.ts";
import type { PieceSizes } from "./pieces/piece-cutter.ts";

const dayMs = 24 * 3_600_000;

/** A landing that is being loaded. */
export interface OpenLanding extends HistoryLanding {
  loadId: number;
  /** Of the file. */
  bytes: number;
  /** Tells the file, as it was when the load began, from what is written to it, or put in its place, later. */
  fileVersion: string;
  /** A play that started later has a wrong clock: 24 hours after the history was asked for. */
  latestPlayedAt: Date;
}

/** Gives each landing its number. @throws {LandingUnreadableError} when one is missing */
export async function openLandings(
  warehouse: DuckDb,
  landings: readonly HistoryLanding[],
): Promise<OpenLanding[]> {
  const found = await Promise.all(
    landings.map(async (landing) => {
      const stats = await stat(landing.path).catch((error: unknown) => {
        throw new LandingUnreadableError(landing.path, { cause: error });
      });
      const latestPlayedAt = new Date(landing.requestedAt.getTime() + dayMs);
      return { ...landing, bytes: stats.size, fileVersion: versionOf(stats), latestPlayedAt };
    }),
  );
  const numbers = await warehouse.all<{ loadId: number }>(
    `select nextval('core.load_id') as "loadId" from range(cast(? as bigint)) order by 1`,
    [landings.length],
  );
  return found.map((landing, index) => ({ ...landing, loadId: numbers[index]?.loadId ?? 0 }));
}

/** The landing that was requested last. */
export function newestOf(landings: readonly [OpenLanding, ...OpenLanding[]]): OpenLanding {
  return landings.reduce((left, right) => (left.requestedAt > right.requestedAt ? left : right));
}

/**
 * Reads landings. They are read more than once, so what is found is true only where their files stayed the same.
 * @param read reads them, and stores nothing
 * @throws {LandingUnreadableError} when a file changed meanwhile, whatever became of `read`
 */
export async function readUnchanged<Found>(
  landings: readonly OpenLanding[],
  read: () => Promise<Found>,
): Promise<Found> {
  const found = await read().catch(async (error: unknown) => {
    await refuseChanged(landings, error);
    throw error;
  });
  await refuseChanged(landings);
  return found;
}

async function refuseChanged(landings: readonly OpenLanding[], cause?: unknown): Promise<void> {
  for (const { path, fileVersion } of landings) {
    const found = await stat(path).then(versionOf, () => undefined);
    if (found === fileVersion) continue;
    throw new LandingUnreadableError(path, {
      cause: new Error("it changed while it was read", { cause }),
      advice: "Load it again when nothing writes to it any more.",
    });
  }
}

function versionOf({ dev, ino, size, mtimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs].join(" ");
}

/** A file of history lines, and what asked for it. */
export interface HistoryLanding {
  /** The same landing is never loaded twice. */
  landingId: string;
  /** Absolute, or relative to the working folder. Ends in `.gz` where it is packed. */
  path: string;
  kind: Kind;
  source: "export" | "walk" | "file";
  /** Of an export. */
  groupId?: number;
  /** Of a walk. */
  zoneId?: number;
  /** Lines that started more than 24 hours after it are rejected. */
  requestedAt: Date;
  /** After it, core holds all that the service had of its group (or zone) and kind; an export holds all of it itself. */
  isComplete: boolean;
}

/** A zone's history of one kind, or what is new of it. */
export type WalkLanding = HistoryLanding & { source: "walk"; zoneId: number };

export interface LoadOptions {
  loadedAt: Date;
  /** Ends the load at once; the warehouse stays as it was. */
  signal?: AbortSignal | undefined;
  /** Called with what begins now, in a few words. */
  onProgress?: ((step: string) => void) | undefined;
  /** For tests. */
  pieceSizes?: PieceSizes | undefined;
}
