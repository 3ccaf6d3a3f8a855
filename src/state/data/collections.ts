import type { Sqlite } from "../sqlite.ts";

/** An open collection is continued unless it is older than this, on the data's clock. */
const staleMs = 12 * 3_600_000;

/** Key that identifies a collection. */
export interface CollectionScope {
  /** Base URL. */
  service: string;
  /**
   * Topics, e.g. `history devices`. They are part of the key, because a run with fewer topics must not close
   * the collection of a run with more.
   */
  scope: string;
}

/**
 * Collections in `state.db`. A collection contains every source in its scope once. If a run is killed, its
 * collection stays open, and the next run continues it without requesting landed sources again.
 */
export class Collections {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Returns the collection that an earlier run left open, unless it is too old. */
  find({ service, scope }: CollectionScope, now: Date): number | undefined {
    const open = this.#database.find<{ collection_id: number; requested_at: string }>(
      "select collection_id, requested_at from collection where service = ? and scope = ? and closed_at is null",
      [service, scope],
    );
    const isUsable = open && Math.abs(now.getTime() - Date.parse(open.requested_at)) <= staleMs;
    return isUsable ? open.collection_id : undefined;
  }

  /**
   * Returns the collection that an earlier run left open, or creates one.
   * @param onNew called in the transaction that creates a collection
   */
  open({ service, scope }: CollectionScope, now: Date, onNew: () => void = () => {}): number {
    return this.#database.immediate(() => {
      const open = this.find({ service, scope }, now);
      if (open !== undefined) return open;
      this.close({ service, scope });
      onNew();
      return this.#database.get<{ collection_id: number }>(
        "insert into collection (service, scope, requested_at, opened_at) values (?, ?, ?, ?) returning collection_id",
        [service, scope, now, new Date()],
      ).collection_id;
    });
  }

  /** Closes all collections, so that the next runs collect everything again. */
  closeAll(): void {
    this.#database.run("update collection set closed_at = ? where closed_at is null", [new Date()]);
  }

  /** Closes a finished collection, so that the next run collects everything again. */
  close({ service, scope }: CollectionScope): void {
    this.#database.run(
      "update collection set closed_at = ? where service = ? and scope = ? and closed_at is null",
      [new Date(), service, scope],
    );
  }
}

/** State of a notice from the status API when it last landed. */
export interface KnownNotice {
  noticeId: number;
  /** Time as written in the response. */
  updatedAt: string;
  timelineState: string;
}

/**
 * Notices that have landed from the status API. They are stored so that only changed notices land again.
 */
export class KnownNotices {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Returns the landed notices, keyed by id. */
  known(statusUrl: string): Map<number, KnownNotice> {
    const notices = this.#database.all<KnownNotice>(
      `select notice_id as "noticeId", updated_at as "updatedAt", timeline_state as "timelineState"
       from status_notice where status_url = ?`,
      [statusUrl],
    );
    return new Map(notices.map((notice) => [notice.noticeId, notice]));
  }

  /**
   * Records landed notices, and deletes those that the service removed. Call it in the transaction that records the
   * landing.
   */
  remember(statusUrl: string, notices: Iterable<KnownNotice>, removed: Iterable<KnownNotice> = []): void {
    for (const { noticeId, updatedAt, timelineState } of notices) {
      this.#database.run("insert or replace into status_notice values (?, ?, ?, ?)", [
        statusUrl,
        noticeId,
        updatedAt,
        timelineState,
      ]);
    }
    for (const { noticeId } of removed)
      this.#database.run("delete from status_notice where status_url = ? and notice_id = ?", [
        statusUrl,
        noticeId,
      ]);
  }

  /**
   * Deletes all notices, so that all of them are collected again. Called if a landing with notices is lost.
   */
  delete(): void {
    this.#database.run("delete from status_notice");
  }
}
