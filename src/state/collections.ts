import type { Sqlite } from "./sqlite.ts";

/** An open collection is gone on with unless what it has would be older than this, in data's time. */
const staleMs = 12 * 3_600_000;

/**
 * What a run sets out to collect: everything once. A run that was killed leaves its collection open, and the next
 * one goes on with it: what has landed is not asked for again.
 */
export class Collections {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** The collection that an earlier run left open, or a new one. */
  open(service: string, now: Date): number {
    return this.#database.immediate(() => {
      const open = this.#database.find<{ collection_id: number; requested_at: string }>(
        "select collection_id, requested_at from collection where service = ? and closed_at is null",
        [service],
      );
      if (open && Math.abs(now.getTime() - Date.parse(open.requested_at)) <= staleMs)
        return open.collection_id;
      this.close(service);
      return this.#database.get<{ collection_id: number }>(
        "insert into collection (service, requested_at, opened_at) values (?, ?, ?) returning collection_id",
        [service, now.toISOString(), new Date().toISOString()],
      ).collection_id;
    });
  }

  /** The run has come to its end: the next one collects everything anew. */
  close(service: string): void {
    this.#database.run("update collection set closed_at = ? where service = ? and closed_at is null", [
      new Date().toISOString(),
      service,
    ]);
  }
}
