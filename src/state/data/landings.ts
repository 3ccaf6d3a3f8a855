import { randomUUID } from "node:crypto";
import type { Kind } from "../../util/kind.ts";
import type { Sqlite } from "../sqlite.ts";

/** A group's listing, or a zone's own. */
type ListingOwner = { groupId: number } | { zoneId: number };

/**
 * What a landing holds: history of a group (`export`) or a zone (`walk`), what a listing of a group or of a zone
 * said, or notices and components of the status API.
 */
export type LandingSource =
  | { source: "export"; kind: Kind; groupId: number }
  | { source: "walk"; kind: Kind; zoneId: number }
  | { source: "devices"; groupId: number }
  | ({ source: "assets" | "campaigns"; kind: Exclude<Kind, "music"> } & ListingOwner)
  | { source: "notices" | "components" };

/** A zone's own listing. */
export type ZoneListing = Extract<LandingSource, { source: "assets" | "campaigns" }> & { zoneId: number };

/** A file of JSON Lines that waits to be loaded, or was, and what asked for it. */
export type Landing = LandingSource & {
  landingId: string;
  /** In data's time: when its request left; earlier where a cache answered, by when the service produced the response. */
  requestedAt: Date;
  /** Relative to the data folder. */
  path: string;
  bytes: number;
  /** Nothing that the service had then is missing from it and from earlier landings of the same source. */
  isComplete: boolean;
};

/** When the service produced a response, in data's time, and whether a cache gave it. */
interface Production {
  at: Date;
  isReused: boolean;
}

/** Two dates of one response differ by less: `Age` is rounded, and requests take different times. */
const sameResponseMs = 2_000;

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
  /** A later complete landing of the same source, kind and group or zone was loaded. */
  isSuperseded: boolean;
};

export class Landings {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Records a landing that lies whole on disk; with it, in one transaction, what that means to other tables. */
  add(collectionId: number, landing: Landing, also: () => void = () => {}): void {
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
      also();
    });
  }

  /** Whether this collection has this source already, and all of it. */
  has(collectionId: number, source: LandingSource): boolean {
    return this.#isComplete(collectionId, source) === true;
  }

  /** Whether this collection has some of this source, but not all of it for certain. */
  hasPart(collectionId: number, source: LandingSource): boolean {
    return this.#isComplete(collectionId, source) === false;
  }

  /** `undefined`: it has nothing of it yet. */
  #isComplete(collectionId: number, source: LandingSource): boolean | undefined {
    const found = this.#database.find<{ is_complete: number }>(
      `select is_complete from landing
       where collection_id = ? and state <> 'broken' and source = ? and kind = ? and group_id is ? and zone_id is ?
       order by rowid desc limit 1`,
      [collectionId, ...sourceColumns(source)],
    );
    return found && found.is_complete === 1;
  }

  /** Those of this collection that were loaded, by their ids, also where their files are gone. */
  loadedOf(collectionId: number): string[] {
    return this.#database
      .all<{ landing_id: string }>(
        "select landing_id from landing where collection_id = ? and state in ('loaded', 'removed')",
        [collectionId],
      )
      .map(({ landing_id }) => landing_id);
  }

  /** The last one of notices that was loaded, also where its file is gone. */
  findLoadedNotices(): string | undefined {
    return this.#database.find<{ landing_id: string }>(
      `select landing_id from landing where source = 'notices' and state in ('loaded', 'removed')
       order by rowid desc limit 1`,
    )?.landing_id;
  }

  /** Whether this collection has anything of the main API. */
  isAny(collectionId: number): boolean {
    const found = this.#database.find(
      "select 1 from landing where collection_id = ? and source not in ('notices', 'components') limit 1",
      [collectionId],
    );
    return found !== undefined;
  }

  /** When each zone's listing of a source and kind was last asked for, whatever came of it, in data's time. */
  lastRequests(service: string, { source, kind }: Omit<ZoneListing, "zoneId">): Map<number, string> {
    const rows = this.#database.all<{ zone_id: number; asked_at: string }>(
      `select zone_id, max(asked_at) as asked_at
       from (
         select zone_id, requested_at as asked_at from landing
         where source = ? and kind = ? and group_id is null and zone_id is not null and state <> 'broken'
         union all
         select zone_id, asked_at from refused_listing where service = ? and source = ? and kind = ?
       )
       group by zone_id`,
      [source, kind, service, source, kind],
    );
    return new Map(rows.map(({ zone_id, asked_at }) => [zone_id, asked_at]));
  }

  /** The service refused a zone's listing at this instant of data's time. */
  noteRefused(service: string, { source, kind, zoneId }: ZoneListing, askedAt: Date): void {
    this.#database.run("insert or replace into refused_listing values (?, ?, ?, ?, ?)", [
      service,
      source,
      kind,
      zoneId,
      askedAt.toISOString(),
    ]);
  }

  /** Zones that were refused each of their listings when it was last requested: two sources of two kinds. */
  zonesRefusedAll(service: string): Set<number> {
    const rows = this.#database.all<{ zone_id: number }>(
      `select zone_id from refused_listing as refused
       where service = ? and not exists (
         select 1 from landing
         where landing.source = refused.source and landing.kind = refused.kind
           and landing.group_id is null and landing.zone_id = refused.zone_id
           and landing.requested_at > refused.asked_at and landing.state <> 'broken'
       )
       group by zone_id having count(*) = 4`,
      [service],
    );
    return new Set(rows.map(({ zone_id }) => zone_id));
  }

  /** The size of the last landing of a source, in bytes. */
  lastBytes(source: LandingSource): number | undefined {
    return this.#database.find<{ bytes: number }>(
      `select bytes from landing where source = ? and kind = ? and group_id is ? and zone_id is ?
       order by rowid desc limit 1`,
      sourceColumns(source),
    )?.bytes;
  }

  /**
   * When what a response lists was observed. One that a cache gave again is dated like the landing that it already
   * became, so that it is not a second observation; a shared cache's `Age` is in whole seconds.
   */
  observedAt(source: LandingSource, { at, isReused }: Production): Date {
    if (!isReused) return at;
    const last = this.#database.find<{ requested_at: string }>(
      `select requested_at from landing where source = ? and kind = ? and group_id is ? and zone_id is ?
       order by rowid desc limit 1`,
      sourceColumns(source),
    );
    const lastAt = new Date(last?.requested_at ?? Number.NaN);
    return Math.abs(at.getTime() - lastAt.getTime()) <= sameResponseMs ? lastAt : at;
  }

  /** Those that wait to be loaded, oldest request first. */
  listReady(): Landing[] {
    return this.#database
      .all<LandingRow>("select * from landing where state = 'ready' order by requested_at, landed_at")
      .map(toLanding);
  }

  markLoaded(...landingIds: readonly string[]): void {
    const now = new Date().toISOString();
    this.#database.immediate(() => {
      for (const landingId of landingIds)
        this.#database.run("update landing set state = 'loaded', loaded_at = ? where landing_id = ?", [
          now,
          landingId,
        ]);
    });
  }

  /** They are loaded again: the warehouse that they were loaded into is gone. */
  markReady(landingIds: readonly string[]): void {
    this.#database.immediate(() => {
      for (const landingId of landingIds)
        this.#database.run("update landing set state = 'ready', loaded_at = null where landing_id = ?", [
          landingId,
        ]);
    });
  }

  /** Those whose file is still there although it was loaded. */
  listLoaded(): LoadedLanding[] {
    return this.#database
      .all<LandingRow & { loaded_at: string; is_superseded: number }>(
        `select *, exists (
           select 1 from landing as later
           where later.state in ('loaded', 'removed') and later.is_complete = 1 and later.rowid > landing.rowid
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

  /** Forgets removed landings that a later one of the same source follows: there are thousands a day. */
  prune(): void {
    this.#database.run(
      `delete from landing where state = 'removed' and exists (
         select 1 from landing as later
         where later.rowid > landing.rowid and later.source = landing.source and later.kind = landing.kind
           and later.group_id is landing.group_id and later.zone_id is landing.zone_id
       )`,
    );
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
