import type { Kind } from "../../util/kind.ts";
import { parseStored, type Sqlite } from "../sqlite.ts";

export interface ZoneHistory {
  kind: Kind;
  zoneId: number;
}

/** Observed order in which the service lists a zone's records. The service does not document it. */
export type SortOrder = "newest" | "oldest" | "unsorted";

/** Records that were too far in the future when they were read, so the load rejected them. */
export interface AheadRecords {
  /** Start of the earliest record. */
  from: Date;
  /** Minimum number of records. */
  records: number;
}

/** State of a zone's history of one kind, and of its walk in progress, if any. */
export interface WalkState {
  walkId: number;
  kind: Kind;
  zoneId: number;
  order: SortOrder | undefined;
  /** Number of records known from the last complete walk; `undefined` if the next walk reads everything. */
  knownTotal: number | undefined;
  /** Hashes of the newest records in the last complete walk, in the service's order. */
  top: number[];
  /** Number of records on the largest page so far. */
  pageSize: number | undefined;
  /** Number of requests in the last complete walk. */
  requests: number | undefined;
  /** Number of requests needed to walk the whole known history. */
  wholeRequests: number | undefined;
  /** Number of requests in the last walk that read only new records. */
  requestsSince: number | undefined;
  /** Time up to which the history is known, on the data's clock. */
  completedAt: Date | undefined;
  /** Records that were too far in the future in the last complete walk. */
  ahead: AheadRecords | undefined;
  /**
   * Number of records (0 or 1) that the service counted but did not list when a walk last reached the end.
   */
  surplus: number;
  /** Saved progress of the walk; `undefined` if no walk is in progress. */
  progress: unknown;
}

/**
 * A place in a zone's history and the identity of the record there. Places are counted from the oldest
 * record, starting at 0.
 */
export interface WalkMark {
  place: number;
  identity: string;
}

export interface CompletedWalk {
  landingId: string;
  order: SortOrder | undefined;
  /** `undefined` if the next walk can't build on this one. */
  knownTotal: number | undefined;
  top: readonly number[];
  requests: number;
  /** True if the walk read only new records. */
  isSince: boolean;
  ahead: AheadRecords | undefined;
  /** `undefined` if the walk did not reach the end of the list. */
  surplus: number | undefined;
  completedAt: Date;
}

interface WalkRow {
  walk_id: number;
  kind: Kind;
  zone_id: number;
  sort_order: SortOrder | null;
  known_total: number | null;
  top: string | null;
  page_size: number | null;
  requests: number | null;
  requests_since: number | null;
  completed_at: string | null;
  ahead_from: string | null;
  ahead_records: number;
  surplus: number;
  progress: string | null;
}

export class Walks {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Returns the state of a zone's history. Creates it if missing. */
  open(service: string, { kind, zoneId }: ZoneHistory): WalkState {
    this.#database.run("insert or ignore into walk (service, kind, zone_id) values (?, ?, ?)", [
      service,
      kind,
      zoneId,
    ]);
    return this.find(service, { kind, zoneId }) as WalkState;
  }

  find(service: string, { kind, zoneId }: ZoneHistory): WalkState | undefined {
    return this.#list("service = ? and kind = ? and zone_id = ?", [service, kind, zoneId])[0];
  }

  list(service: string): WalkState[] {
    return this.#list("service = ?", [service]);
  }

  #list(condition: string, parameters: (string | number)[]): WalkState[] {
    return this.#database
      .all<WalkRow>(`select * from walk where ${condition}`, parameters)
      .map((row) => toState(row, this.#database.path));
  }

  /**
   * Returns the size of the largest page that the service has returned; `undefined` if it has returned none.
   */
  findLargestPage(service: string): number | undefined {
    return (
      this.#database.values<number>("select max(page_size) from walk where service = ?", [service])[0] ??
      undefined
    );
  }

  /** Returns true if this landing id belongs to a walk in progress. */
  isOpen(landingId: string): boolean {
    return this.#database.find("select 1 from walk where open_landing_id = ?", [landingId]) !== undefined;
  }

  /** Returns the recorded identities between two places, both inclusive, oldest first. */
  marks(walkId: number, from: number, to: number): WalkMark[] {
    return this.#database.all<WalkMark>(
      "select place, identity from walk_mark where walk_id = ? and place between ? and ? order by place",
      [walkId, from, to],
    );
  }

  /** Saves the progress of a walk after a page, and replaces the identities at the page's places. */
  savePage(
    walkId: number,
    page: {
      landingId: string;
      progress: unknown;
      pageSize: number;
      marks?: { from: number; to: number; marks: readonly WalkMark[] } | undefined;
    },
  ): void {
    const { landingId, progress, pageSize, marks } = page;
    this.#database.immediate(() => {
      this.#database.run(
        `update walk set open_landing_id = ?, progress = ?, page_size = max(coalesce(page_size, 0), ?)
         where walk_id = ?`,
        [landingId, JSON.stringify(progress), pageSize, walkId],
      );
      if (!marks) return;
      this.#database.run("delete from walk_mark where walk_id = ? and place between ? and ?", [
        walkId,
        marks.from,
        marks.to,
      ]);
      for (const { place, identity } of marks.marks) {
        this.#database.run("insert or replace into walk_mark values (?, ?, ?)", [walkId, place, identity]);
      }
    });
  }

  /** Records a complete walk. Call it in the transaction that records its landing. */
  complete(walkId: number, walk: CompletedWalk): void {
    const { landingId, order, knownTotal, top, requests, isSince, ahead, surplus, completedAt } = walk;
    this.#database.run(
      `update walk set sort_order = ?, known_total = ?, top = ?, requests = ?,
       requests_since = coalesce(?, requests_since), ahead_from = ?, ahead_records = ?,
       surplus = coalesce(?, surplus), completed_at = ?, landing_id = ?,
       open_landing_id = null, progress = null where walk_id = ?`,
      [
        order,
        knownTotal,
        JSON.stringify(top),
        requests,
        isSince ? requests : null,
        ahead?.from,
        ahead?.records ?? 0,
        surplus,
        completedAt,
        landingId,
        walkId,
      ],
    );
    this.#database.run("delete from walk_mark where walk_id = ? and place >= ?", [walkId, knownTotal ?? 0]);
  }

  /**
   * Discards the known history and the walk in progress, so that the next walk reads everything.
   * @param surplus surplus seen at the end of that walk; if absent, the previous value is kept
   */
  delete(walkId: number, surplus?: number): void {
    this.#database.run(
      `update walk set known_total = null, top = null, landing_id = null, open_landing_id = null, progress = null,
       surplus = coalesce(?, surplus) where walk_id = ?`,
      [surplus, walkId],
    );
    this.#database.run("delete from walk_mark where walk_id = ?", [walkId]);
  }

  deleteZone(service: string, zone: ZoneHistory): void {
    this.delete(this.open(service, zone).walkId);
  }

  /**
   * Discards the known history and progress of all walks of a service, so that everything is read again. Call
   * it in a transaction.
   */
  deleteAll(service: string): void {
    this.#database.run(
      "delete from walk_mark where walk_id in (select walk_id from walk where service = ?)",
      [service],
    );
    this.#database.run(
      `update walk set known_total = null, top = null, landing_id = null, open_landing_id = null, progress = null
       where service = ?`,
      [service],
    );
  }

  /**
   * Returns the landing id of each history's last complete walk, keyed by walk id. Excludes landings that are waiting
   * to be loaded.
   */
  listLoadedLandings(): Map<number, string> {
    const rows = this.#database.all<{ walk_id: number; landing_id: string }>(
      `select walk_id, landing_id from walk
       where known_total is not null and not exists (
         select 1 from landing where landing.landing_id = walk.landing_id and landing.state = 'ready'
       ) and landing_id is not null`,
    );
    return new Map(rows.map(({ walk_id, landing_id }) => [walk_id, landing_id]));
  }
}

function toState(row: WalkRow, path: string): WalkState {
  return {
    walkId: row.walk_id,
    kind: row.kind,
    zoneId: row.zone_id,
    order: row.sort_order ?? undefined,
    knownTotal: row.known_total ?? undefined,
    top: row.top === null ? [] : parseStored(path, row.top),
    pageSize: row.page_size ?? undefined,
    requests: row.requests ?? undefined,
    wholeRequests: countPages(row),
    requestsSince: row.requests_since ?? undefined,
    completedAt: row.completed_at === null ? undefined : new Date(row.completed_at),
    ahead:
      row.ahead_from === null ? undefined : { from: new Date(row.ahead_from), records: row.ahead_records },
    surplus: row.surplus,
    progress: row.progress === null ? undefined : parseStored(path, row.progress),
  };
}

function countPages({ known_total, page_size }: WalkRow): number | undefined {
  return known_total === null ? undefined : Math.max(1, Math.ceil(known_total / Math.max(page_size ?? 1, 1)));
}
