import { createHash } from "node:crypto";
import { parseStored, type Sqlite } from "../sqlite.ts";

/** A cached response. Times are epoch milliseconds. */
export interface CachedResponse {
  body: string;
  headers: Record<string, string>;
  keptAt: number;
  /** Time after which the response must not be used unless the service confirms it. */
  staleAt: number;
  /** Time after which the response is evicted. */
  deleteAt: number;
}

interface ResponseRow {
  body: ArrayBuffer;
  sha256: string;
  headers: string;
  kept_at: number;
  stale_at: number;
  delete_at: number;
}

export interface ResponseCacheLimits {
  /** Maximum number of responses, for all clients together. */
  responses: number;
  /** Maximum total size of their bodies, in bytes. */
  bytes: number;
}

const defaultLimits: ResponseCacheLimits = { responses: 500, bytes: 32 * 1024 * 1024 };

/**
 * Cached responses of one client, shared by all processes of this user. If the cache is full, the oldest are
 * evicted.
 */
export class ResponseCache {
  readonly #database: Sqlite;
  readonly #api: string;
  readonly #limits: ResponseCacheLimits;

  constructor(database: Sqlite, api: string, limits: ResponseCacheLimits = defaultLimits) {
    this.#database = database;
    this.#api = api;
    this.#limits = limits;
  }

  find(url: string): CachedResponse | undefined {
    const row = this.#database.find<ResponseRow>(
      "select headers, kept_at, stale_at, delete_at, sha256, body from kept_answer " +
        "where api = ? and url = ? and delete_at > ?",
      [this.#api, url, Date.now()],
    );
    // If a response was stored in the future, the clock has been set back and its age is unknown.
    if (row === undefined || row.kept_at > Date.now()) return undefined;
    const body = Buffer.from(row.body);
    // A damaged response is fetched again.
    if (sha256(body) !== row.sha256) return undefined;
    return {
      body: body.toString(),
      headers: parseStored(this.#database.path, row.headers),
      keptAt: row.kept_at,
      staleAt: row.stale_at,
      deleteAt: row.delete_at,
    };
  }

  keep(url: string, { body, headers, keptAt, staleAt, deleteAt }: CachedResponse): void {
    const bytes = Buffer.byteLength(body);
    this.#database.immediate(() => {
      // The columns `vary` and `directives` were used by earlier versions.
      this.#database.run(
        "insert or replace into kept_answer " +
          "(api, url, bytes, headers, directives, kept_at, stale_at, delete_at, sha256, body) " +
          "values (?, ?, ?, ?, '{}', ?, ?, ?, ?, cast(? as blob))",
        [this.#api, url, bytes, JSON.stringify(headers), keptAt, staleAt, deleteAt, sha256(body), body],
      );
      this.#makeRoom();
    });
  }

  remove(url: string): void {
    this.#database.run("delete from kept_answer where api = ? and url = ?", [this.#api, url]);
  }

  clear(): void {
    this.#database.run("delete from kept_answer where api = ?", [this.#api]);
  }

  #makeRoom(): void {
    const { responses, bytes } = this.#limits;
    this.#database.run("delete from kept_answer where delete_at <= ?", [Date.now()]);
    this.#database.run(
      "delete from kept_answer where rowid in (select id from (" +
        "select rowid as id, row_number() over newest as place, sum(bytes) over newest as total_bytes from kept_answer " +
        "window newest as (order by kept_at desc, rowid desc)" +
        ") where place > ? or total_bytes > ?)",
      [responses, bytes],
    );
  }
}

function sha256(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}
