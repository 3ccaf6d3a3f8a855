import type { Sqlite } from "../sqlite.ts";

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
