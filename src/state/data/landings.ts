import { randomUUID } from "node:crypto";
import type { Kind } from "../../util/kind.ts";
import type { Sqlite } from "../sqlite.ts";

type ListingOwner = { groupId: number } | { zoneId: number };

/**
 * Source of a landing: history of a group (`export`) or of a zone (`walk`), a listing for a group or zone, or
 * notices or components from the status API.
 */
export type LandingSource =
  | { source: "export"; kind: Kind; groupId: number }
  | { source: "walk"; kind: Kind; zoneId: number }
  | { source: "devices"; groupId: number }
  | ({ source: "assets" | "campaigns"; kind: Exclude<Kind, "music"> } & ListingOwner)
  | { source: "notices" | "components" };

/** The topic of `venue sync` that collects each source. */
export const topicOfSource = {
  export: "history",
  walk: "history",
  devices: "devices",
  campaigns: "campaigns",
  assets: "campaigns",
  notices: "status",
  components: "status",
} as const satisfies Record<LandingSource["source"], string>;
export type CollectedTopic = (typeof topicOfSource)[LandingSource["source"]];

/**
 * - `ready`: waiting to be loaded
 * - `loaded`
 * - `broken`: its file is missing or unreadable, so it is not loaded
 * - `removed`: loaded, and its file was removed
 */
type LandingState = "ready" | "loaded" | "broken" | "removed";

export type ZoneListing = Extract<LandingSource, { source: "assets" | "campaigns" }> & { zoneId: number };

/** A file of JSON Lines that is waiting to be loaded or was loaded. */
export type Landing = LandingSource & {
  landingId: string;
  /**
   * Time of the request on the data's clock. For a cached response, time at which the service produced it.
   */
  requestedAt: Date;
  /** Relative to the data folder. */
  path: string;
  bytes: number;
  /**
   * True if the landing, together with earlier ones from the same source, contains everything that the
   * service had at that time.
   */
  isComplete: boolean;
};

/** Time at which the service produced a response, on the data's clock, and whether it came from a cache. */
interface Production {
  at: Date;
  isReused: boolean;
}

/**
 * Maximum difference between two times computed for the same response. They differ because `Age` is rounded and
 * requests take different times.
 */
const sameResponseMs = 2_000;

/** Returns an id that is unique across all data folders, because a warehouse can be moved or restored. */
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

export type LoadedLanding = Landing & {
  loadedAt: Date;
  /** True if a later complete landing of the same source, kind and group or zone was loaded. */
  isSuperseded: boolean;
};

export class Landings {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * Records a landing whose file is completely on disk. Runs `also`, for related changes, in the same
   * transaction.
   */
  add(collectionId: number, landing: Landing, also: () => void = () => {}): void {
    this.#database.immediate(() => {
      this.#database.run(
        `insert into landing (landing_id, collection_id, source, kind, group_id, zone_id, requested_at, path, bytes,
         is_complete, state, landed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ready', ?)`,
        [
          landing.landingId,
          collectionId,
          ...toSourceColumns(landing),
          landing.requestedAt,
          landing.path,
          landing.bytes,
          landing.isComplete,
          new Date(),
        ],
      );
      also();
    });
  }

  /** Returns true if this collection's latest landing of the source is complete; `undefined` if it has no landing. */
  isComplete(collectionId: number, source: LandingSource): boolean | undefined {
    const found = this.#database.find<{ is_complete: number }>(
      `select is_complete from landing
       where collection_id = ? and state <> 'broken' and source = ? and kind = ? and group_id is ? and zone_id is ?
       order by rowid desc limit 1`,
      [collectionId, ...toSourceColumns(source)],
    );
    return found && found.is_complete === 1;
  }

  /** Returns the ids of this collection's loaded landings, including those whose files were removed. */
  listLoadedIds(collectionId: number): string[] {
    return this.#database.values(
      "select landing_id from landing where collection_id = ? and state in ('loaded', 'removed')",
      [collectionId],
    );
  }

  /** Returns the id of the last loaded landing with notices, even if its file was removed. */
  findLoadedNotices(): string | undefined {
    return this.#database.values<string>(
      `select landing_id from landing where source = 'notices' and state in ('loaded', 'removed')
       order by rowid desc limit 1`,
    )[0];
  }

  /** Returns true if this collection has any landing from the main API. */
  hasAny(collectionId: number): boolean {
    const found = this.#database.find(
      "select 1 from landing where collection_id = ? and source not in ('notices', 'components') limit 1",
      [collectionId],
    );
    return found !== undefined;
  }

  /**
   * Returns the time on the data's clock at which each zone's listing was last requested, successfully or
   * not.
   */
  listLastRequests(service: string, { source, kind }: Omit<ZoneListing, "zoneId">): Map<number, string> {
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

  /** Records that the service refused a zone's listing. @param requestedAt on the data's clock */
  recordRefusal(service: string, { source, kind, zoneId }: ZoneListing, requestedAt: Date): void {
    this.#database.run("insert or replace into refused_listing values (?, ?, ?, ?, ?)", [
      service,
      source,
      kind,
      zoneId,
      requestedAt,
    ]);
  }

  /**
   * Returns the zones for which the service refused the latest requests for all four listings (two sources,
   * two kinds).
   */
  listFullyRefusedZones(service: string): Set<number> {
    const zones = this.#database.values<number>(
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
    return new Set(zones);
  }

  /** Returns the size of a source's last landing, in bytes. */
  lastBytes(source: LandingSource): number | undefined {
    return this.#findLast(source)?.bytes;
  }

  /**
   * Returns the time at which the service produced a listing. If a cached response has already landed,
   * returns the time of that landing, so that it is not taken for a second observation. The times are
   * compared with a tolerance, because a shared cache's `Age` is in whole seconds.
   */
  observedAt(source: LandingSource, { at, isReused }: Production): Date {
    if (!isReused) return at;
    const lastAt = new Date(this.#findLast(source)?.requested_at ?? Number.NaN);
    return Math.abs(at.getTime() - lastAt.getTime()) <= sameResponseMs ? lastAt : at;
  }

  #findLast(source: LandingSource): LandingRow | undefined {
    return this.#database.find<LandingRow>(
      `select * from landing where source = ? and kind = ? and group_id is ? and zone_id is ?
       order by rowid desc limit 1`,
      toSourceColumns(source),
    );
  }

  /** Lists landings waiting to be loaded, oldest request first. */
  listReady(): Landing[] {
    return this.#database
      .all<LandingRow>("select * from landing where state = 'ready' order by requested_at, landed_at")
      .map(toLanding);
  }

  /** Changes the state of landings, all or none of them. */
  mark(state: LandingState, ...landingIds: readonly string[]): void {
    this.#database.run(
      `update landing set state = ?1, loaded_at = case ?1 when 'loaded' then ?2 when 'removed' then loaded_at end
       where landing_id in (select value from json_each(?3))`,
      [state, new Date(), JSON.stringify(landingIds)],
    );
  }

  /** Lists loaded landings whose files have not been removed. */
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

  /** Returns true if a landing with this id exists, in any state. */
  isKnown(landingId: string): boolean {
    return this.#database.find("select 1 from landing where landing_id = ?", [landingId]) !== undefined;
  }

  setPath(landingId: string, path: string): void {
    this.#database.run("update landing set path = ? where landing_id = ?", [path, landingId]);
  }

  /**
   * Deletes the records of removed landings that have a successor from the same source, because there are
   * thousands a day.
   */
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

function toSourceColumns(landing: LandingSource): [string, string, number | null, number | null] {
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

/** Columns that identify a source; each source uses some of them. */
interface SourceColumns {
  source: LandingSource["source"];
  kind?: Kind | "" | undefined;
  group_id?: number | null | undefined;
  zone_id?: number | null | undefined;
}

/** Returns the source. The cast is safe, because exactly its columns were written. */
export function toSource({ source, kind, group_id, zone_id }: SourceColumns): LandingSource {
  const columns = {
    source,
    ...(kind && { kind }),
    ...(typeof group_id === "number" && { groupId: group_id }),
    ...(typeof zone_id === "number" && { zoneId: zone_id }),
  };
  return columns as LandingSource;
}
