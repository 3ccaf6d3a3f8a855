import { randomUUID } from "node:crypto";
import type { Kind } from "../util/kind.ts";
import type { Sqlite } from "./sqlite.ts";

/** What a landing holds: history of a group (`export`) or a zone (`walk`), or what a listing of a group said. */
export type LandingSource =
  | { source: "export"; kind: Kind; groupId: number }
  | { source: "walk"; kind: Kind; zoneId: number }
  | { source: "devices"; groupId: number }
  | { source: "assets"; kind: Exclude<Kind, "music">; groupId: number };

/** A file of JSON Lines that waits to be loaded, or was, and what asked for it. */
export type Landing = LandingSource & {
  landingId: string;
  /** In data's time. */
  requestedAt: Date;
  /** Relative to the data folder. */
  path: string;
  bytes: number;
  /** Holds all that the service had. */
  isComplete: boolean;
};

/** A new landing's id: unique over all data folders, because a warehouse can be moved or restored. */
export function createLandingId(): string {
  return randomUUID();
}

interface LandingRow {
  landing_id: string;
  source: LandingSource["source"];
  kind: Kind | "";
  group_id: number | null;
  zone_id: number | null;
  requested_at: string;
  path: string;
  bytes: number;
  is_complete: number;
}

/** A landing that was loaded, for tidying up. */
export type LoadedLanding = Landing & {
  loadedAt: Date;
  /** A later complete landing of the same source, group and kind was loaded. */
  isSuperseded: boolean;
};

export class Landings {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Records a landing that lies whole on disk; with it, that its export job is done. */
  add(collectionId: number, landing: Landing, exportJobId?: number): void {
    this.#database.immediate(() => {
      this.#database.run(
        `insert into landing (landing_id, collection_id, source, kind, group_id, zone_id, requested_at, path, bytes,
         is_complete, state, landed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ready', ?)`,
        [
          landing.landingId,
          collectionId,
          ...sourceColumns(landing),
          landing.requestedAt.toISOString(),
          landing.path,
          landing.bytes,
          landing.isComplete ? 1 : 0,
          new Date().toISOString(),
        ],
      );
      if (exportJobId !== undefined) {
        this.#database.run("update export_job set state = 'landed' where id = ?", [exportJobId]);
      }
    });
  }

  /** Whether this collection has this source already. */
  has(collectionId: number, source: LandingSource): boolean {
    const found = this.#database.find(
      `select 1 from landing
       where collection_id = ? and state <> 'broken' and source = ? and kind = ? and group_id is ? and zone_id is ?`,
      [collectionId, ...sourceColumns(source)],
    );
    return found !== undefined;
  }

  /** Whether this collection has anything. */
  isAny(collectionId: number): boolean {
    return (
      this.#database.find("select 1 from landing where collection_id = ? limit 1", [collectionId]) !==
      undefined
    );
  }

  /** Those that wait to be loaded, oldest request first. */
  listReady(): Landing[] {
    return this.#database
      .all<LandingRow>("select * from landing where state = 'ready' order by requested_at, landed_at")
      .map(toLanding);
  }

  markLoaded(landingId: string): void {
    this.#database.run("update landing set state = 'loaded', loaded_at = ? where landing_id = ?", [
      new Date().toISOString(),
      landingId,
    ]);
  }

  /** Those whose file is still there although it was loaded. */
  listLoaded(): LoadedLanding[] {
    return this.#database
      .all<LandingRow & { loaded_at: string; is_superseded: number }>(
        `select *, exists (
           select 1 from landing as later
           where later.state <> 'ready' and later.is_complete = 1 and later.rowid > landing.rowid
             and later.source = landing.source and later.kind = landing.kind
             and later.group_id is landing.group_id and later.zone_id is landing.zone_id
         ) as is_superseded
         from landing where state = 'loaded'`,
      )
      .map((row) => ({
        ...toLanding(row),
        loadedAt: new Date(row.loaded_at),
        isSuperseded: row.is_superseded === 1,
      }));
  }

  /** Its file is gone, or can't be read: it will not be tried again. */
  markBroken(landingId: string): void {
    this.#database.run("update landing set state = 'broken' where landing_id = ?", [landingId]);
  }

  /** Whether there is a landing of this id, whatever became of it. */
  isKnown(landingId: string): boolean {
    return this.#database.find("select 1 from landing where landing_id = ?", [landingId]) !== undefined;
  }

  setPath(landingId: string, path: string): void {
    this.#database.run("update landing set path = ? where landing_id = ?", [path, landingId]);
  }

  markRemoved(landingId: string): void {
    this.#database.run("update landing set state = 'removed' where landing_id = ?", [landingId]);
  }
}

/** `source, kind, group_id, zone_id`. */
function sourceColumns(landing: LandingSource): [string, string, number | null, number | null] {
  return [
    landing.source,
    "kind" in landing ? landing.kind : "",
    "groupId" in landing ? landing.groupId : null,
    "zoneId" in landing ? landing.zoneId : null,
  ];
}

function toLanding(row: LandingRow): Landing {
  return {
    ...toSource(row),
    landingId: row.landing_id,
    requestedAt: new Date(row.requested_at),
    path: row.path,
    bytes: row.bytes,
    isComplete: row.is_complete === 1,
  };
}

/** The columns hold just what their source has: `add` wrote them. */
function toSource({ source, kind, group_id, zone_id }: LandingRow): LandingSource {
  const columns = {
    source,
    ...(kind === "" ? {} : { kind }),
    ...(group_id === null ? {} : { groupId: group_id }),
    ...(zone_id === null ? {} : { zoneId: zone_id }),
  };
  return columns as LandingSource;
}
