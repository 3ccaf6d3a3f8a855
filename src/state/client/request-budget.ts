import { monotonicMs } from "../../util/clock.ts";
import { hasEnded, identifyThisProcess } from "../../util/process-liveness.ts";
import type { Sqlite } from "../sqlite.ts";
import { computeDueMs, computeSpacingMs, type Hit, marginMs, type Pace } from "./pace.ts";

/**
 * A ticket is removed after this long without a heartbeat. Waiting processes send one at least every
 * `maxWaitMs`.
 */
const silenceMs = 5_000;
const maxWaitMs = 1_000;
const minWaitMs = 5;
/** A granted request must be sent within this time, which is longer than connecting takes. */
const unsentMs = 60_000;
const keptMs = 60_000;
/** Maximum pause that is honoured if the service requests one. */
export const maxPostponeMs = 5 * 60_000;

export interface TicketRow {
  id: number;
  pid: number;
  process: string | null;
  beat_ms: number;
}

/**
 * Returns true if a ticket's owner seems dead. A heartbeat in the future was sent before the machine
 * restarted, which reset the clock.
 */
export function isAbandoned({ process, beat_ms }: TicketRow, nowMs: number): boolean {
  return Math.abs(nowMs - beat_ms) > silenceMs || hasEnded(process);
}

/** Result of a claim: the request may be sent now, or its process should try again after `waitMs`. */
export type Turn = { hitId: number } | { waitMs: number };

interface HitRow {
  id: number;
  process: string | null;
  granted_ms: number;
  sent_ms: number | null;
}

/** Returns true if the process that must report this request as sent no longer exists or has taken too long. */
function isLost({ process, granted_ms }: HitRow, nowMs: number): boolean {
  return Math.abs(nowMs - granted_ms) >= unsentMs || hasEnded(process);
}

/**
 * Request budget of one API client, shared by all processes of this user. Requests are served first come,
 * first served, and never exceed the agreed number in any sliding window. Each method runs one short
 * transaction.
 */
export class RequestBudget {
  readonly #database: Sqlite;
  readonly #api: string;
  readonly #pace: Pace;

  constructor(database: Sqlite, api: string, pace: Pace) {
    this.#database = database;
    this.#api = api;
    this.#pace = pace;
  }

  /** Joins the end of the queue and returns the ticket's id. */
  join(): number {
    const { id } = this.#database.get<{ id: number }>(
      "insert into ticket (api, pid, process, beat_ms) values (?, ?, ?, ?) returning id",
      [this.#api, process.pid, identifyThisProcess(), monotonicMs()],
    );
    return id;
  }

  leave(ticketId: number): void {
    this.#database.run("delete from ticket where id = ?", [ticketId]);
  }

  /**
   * Uses up the ticket if its turn has come.
   * @returns `undefined` if the ticket was removed because its owner seemed dead; the caller must then join
   * again
   */
  claimTurn(ticketId: number): Turn | undefined {
    return this.#database.immediate(() => {
      const now = monotonicMs();
      if (this.#database.run("update ticket set beat_ms = ? where id = ?", [now, ticketId]) === 0)
        return undefined;
      const ahead = this.#countAhead(ticketId, now);
      const waitMs = Math.max(this.#computeDueMs(now) - now, 0);
      if (ahead === 0 && waitMs === 0) return { hitId: this.#grant(ticketId, now) };
      const expectedMs = waitMs + ahead * computeSpacingMs(this.#pace);
      return { waitMs: Math.min(Math.max(expectedMs, ahead > 0 ? minWaitMs : 1), maxWaitMs) };
    });
  }

  /**
   * Records that the first byte of a request is about to be sent.
   * @returns `false` if the request must not be sent, because its turn has expired
   */
  markSent(hitId: number): boolean {
    return (
      this.#database.run("update hit set sent_ms = ? where id = ? and sent_ms is null", [
        monotonicMs(),
        hitId,
      ]) > 0
    );
  }

  /** Frees the turn of a request that was never sent. */
  release(hitId: number): void {
    this.#database.run("delete from hit where id = ? and sent_ms is null", [hitId]);
  }

  /** Pauses all processes for `delayMs` from now, at most `maxPostponeMs`. */
  postpone(delayMs: number): void {
    const now = monotonicMs();
    this.#database.run(
      "insert into budget (api, not_before_ms) values (?, ?) " +
        "on conflict (api) do update set not_before_ms = max(" +
        "iif(not_before_ms > ?, 0, not_before_ms), excluded.not_before_ms)",
      [this.#api, now + Math.min(delayMs, maxPostponeMs), now + maxPostponeMs],
    );
  }

  /** Counts the live tickets ahead of this one, and removes those of dead processes. */
  #countAhead(ticketId: number, now: number): number {
    const ahead = this.#database.all<TicketRow>("select * from ticket where api = ? and id < ?", [
      this.#api,
      ticketId,
    ]);
    const dead = ahead.filter((ticket) => isAbandoned(ticket, now));
    for (const { id } of dead) this.leave(id);
    return ahead.length - dead.length;
  }

  #computeDueMs(now: number): number {
    const budget = this.#database.find<{ not_before_ms: number }>(
      "select not_before_ms from budget where api = ?",
      [this.#api],
    );
    const notBefore = budget?.not_before_ms ?? -Infinity;
    // A pause longer than the maximum was recorded before the machine restarted.
    const isStale = notBefore - now > maxPostponeMs;
    return Math.max(computeDueMs(this.#recentHits(now), this.#pace, now), isStale ? -Infinity : notBefore);
  }

  #recentHits(now: number): Hit[] {
    // Times in the future were recorded before the machine restarted.
    this.#database.run("update hit set sent_ms = ? where api = ? and sent_ms > ?", [now, this.#api, now]);
    const rows = this.#database.all<HitRow>(
      "select id, process, granted_ms, sent_ms from hit where api = ? and (sent_ms is null or sent_ms > ?)",
      [this.#api, now - this.#pace.windowMs - 2 * marginMs],
    );
    return rows.map((row) => ({
      grantedMs: Math.min(row.granted_ms, now),
      sentMs: row.sent_ms ?? this.#recordLost(row, now),
    }));
  }

  /** Marks a lost request as sent now, which is the latest possible time. */
  #recordLost(row: HitRow, now: number): number | null {
    if (!isLost(row, now)) return null;
    this.#database.run("update hit set sent_ms = ? where id = ?", [now, row.id]);
    return now;
  }

  #grant(ticketId: number, now: number): number {
    this.leave(ticketId);
    this.#database.run("delete from hit where api = ? and sent_ms < ?", [
      this.#api,
      now - Math.max(keptMs, 2 * this.#pace.windowMs),
    ]);
    const { id } = this.#database.get<{ id: number }>(
      "insert into hit (api, pid, process, granted_ms) values (?, ?, ?, ?) returning id",
      [this.#api, process.pid, identifyThisProcess(), now],
    );
    return id;
  }
}
