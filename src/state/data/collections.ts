import type { Sqlite } from "../sqlite.ts";

/** An open collection is gone on with unless what it has would be older than this, in data's time. */
const staleMs = 12 * 3_600_000;

/** What a collection is kept apart by. */
export interface CollectionScope {
  /** Base URL. */
  service: string;
  /** What is collected, e.g. `history devices`: a run of less must not end one of more. */
  scope: string;
}

/**
 * What a run sets out to collect: everything of its scope once. A run that was killed leaves its collection open, and the next
 * one goes on with it: what has landed is not asked for again.
 */
export class Collections {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** The collection that an earlier run left open, if it is of use. */
  find({ service, scope }: CollectionScope, now: Date): number | undefined {
    const open = this.#database.find<{ collection_id: number; requested_at: string }>(
      "select collection_id, requested_at from collection where service = ? and scope = ? and closed_at is null",
      [service, scope],
    );
    const isOfUse = open && Math.abs(now.getTime() - Date.parse(open.requested_at)) <= staleMs;
    return isOfUse ? open.collection_id : undefined;
  }

  /**
   * The collection that an earlier run left open, or a new one.
   * @param onNew called in the transaction that makes a new one
   */
  open({ service, scope }: CollectionScope, now: Date, onNew: () => void = () => {}): number {
    return this.#database.immediate(() => {
      const open = this.find({ service, scope }, now);
      if (open !== undefined) return open;
      this.close({ service, scope });
      onNew();
      return this.#database.get<{ collection_id: number }>(
        "insert into collection (service, scope, requested_at, opened_at) values (?, ?, ?, ?) returning collection_id",
        [service, scope, now.toISOString(), new Date().toISOString()],
      ).collection_id;
    });
  }

  /** What earlier runs had counts no more: the next ones collect everything anew. */
  closeAll(): void {
    this.#database.run("update collection set closed_at = ? where closed_at is null", [
      new Date().toISOString(),
    ]);
  }

  /** The run has come to its end: the next one collects everything anew. */
  close({ service, scope }: CollectionScope): void {
    this.#database.run(
      "update collection set closed_at = ? where service = ? and scope = ? and closed_at is null",
      [new Date().toISOString(), service, scope],
    );
  }
}

/** A notice of the status API, as it landed last. */
export interface KnownNotice {
  noticeId: number;
  /** As the service wrote it. */
  updatedAt: string;
  timelineState: string;
}

/** Which notices of the status API landed, so that only changed ones are asked for again. */
export class KnownNotices {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** By id: when each was changed last, and where on the time line it was. */
  known(statusUrl: string): Map<number, KnownNotice> {
    const rows = this.#database.all<{ notice_id: number; updated_at: string; timeline_state: string }>(
      "select notice_id, updated_at, timeline_state from status_notice where status_url = ?",
      [statusUrl],
    );
    return new Map(
      rows.map(({ notice_id, updated_at, timeline_state }) => [
        notice_id,
        { noticeId: notice_id, updatedAt: updated_at, timelineState: timeline_state },
      ]),
    );
  }

  /** To be called in the transaction that records their landing. */
  remember(statusUrl: string, notices: Iterable<KnownNotice>): void {
    for (const { noticeId, updatedAt, timelineState } of notices) {
      this.#database.run("insert or replace into status_notice values (?, ?, ?, ?)", [
        statusUrl,
        noticeId,
        updatedAt,
        timelineState,
      ]);
    }
  }

  /** The service lists these no more. To be called in the transaction that records the landing that lacks them. */
  forgetRemoved(statusUrl: string, notices: Iterable<KnownNotice>): void {
    for (const { noticeId } of notices)
      this.#database.run("delete from status_notice where status_url = ? and notice_id = ?", [
        statusUrl,
        noticeId,
      ]);
  }

  /** What landed is lost: everything is asked for again. */
  forget(): void {
    this.#database.run("delete from status_notice");
  }
}
