import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import type { Kind } from "../../util/kind.ts";
import { LandingUnreadableError } from "../errors.ts";

const dayMs = 24 * 3_600_000;

export interface OpenLanding extends HistoryLanding {
  loadId: number;
  bytes: number;
  /**
   * Identifies the state of the file when the load began, to detect if it is written to or replaced later.
   */
  fileVersion: string;
  /** 24 hours after the request. A later start means that the player's clock is wrong. */
  latestPlayedAt: Date;
}

/** Assigns each landing its load id. @throws {LandingUnreadableError} if one is missing */
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
      return { ...landing, bytes: stats.size, fileVersion: computeFileVersion(stats), latestPlayedAt };
    }),
  );
  const numbers = await warehouse.all<{ loadId: number }>(
    `select nextval('core.load_id') as "loadId" from range(cast(? as bigint)) order by 1`,
    [landings.length],
  );
  return found.map((landing, index) => ({ ...landing, loadId: numbers[index]?.loadId ?? 0 }));
}

export function findNewestLanding(landings: readonly [OpenLanding, ...OpenLanding[]]): OpenLanding {
  return landings.reduce((left, right) => (left.requestedAt > right.requestedAt ? left : right));
}

/**
 * Reads landings, and verifies that they do not change in the meantime, because they are read more than once.
 * @param read reads the landings without storing anything
 * @throws {LandingUnreadableError} if a file changed, even if `read` failed as well
 */
export async function readUnchanged<Found>(
  landings: readonly OpenLanding[],
  read: () => Promise<Found>,
): Promise<Found> {
  const found = await read().catch(async (error: unknown) => {
    await assertUnchanged(landings, error);
    throw error;
  });
  await assertUnchanged(landings);
  return found;
}

async function assertUnchanged(landings: readonly OpenLanding[], cause?: unknown): Promise<void> {
  for (const { path, fileVersion } of landings) {
    const found = await stat(path).then(computeFileVersion, () => undefined);
    if (found === fileVersion) continue;
    throw new LandingUnreadableError(path, {
      cause: new Error("it changed while it was being read", { cause }),
      advice: "Load it again once nothing writes to it.",
    });
  }
}

function computeFileVersion({ dev, ino, size, mtimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs].join(" ");
}

/** A file of history lines, with the request that returned it. */
export interface HistoryLanding {
  /** Prevents the same landing from being loaded twice. */
  landingId: string;
  /** Absolute, or relative to the working directory. Ends in `.gz` if gzipped. */
  path: string;
  kind: Kind;
  source: "export" | "walk" | "file";
  /** Set for an export. */
  groupId?: number;
  /** Set for a walk. */
  zoneId?: number;
  /** Lines whose play starts more than 24 hours later are rejected. */
  requestedAt: Date;
  /**
   * True if, after the load, core contains the service's whole history of the group or zone. An export contains all of
   * it; a walk may contain only the new part.
   */
  isComplete: boolean;
}

/** One zone's history of one kind, or only the new part of that history. */
export type WalkLanding = HistoryLanding & { source: "walk"; zoneId: number };

export interface LoadOptions {
  loadedAt: Date;
  /** Aborts the load. Until the commit, the warehouse stays unchanged. */
  signal?: AbortSignal | undefined;
  /** Called with a short name of each step as it begins. */
  onProgress?: ((step: string) => void) | undefined;
}
