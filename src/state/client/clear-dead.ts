import { monotonicMs } from "../../util/clock.ts";
import type { Sqlite } from "../sqlite.ts";
import { type HitRow, isAbandoned, isLost, longestPostponeMs, type TicketRow } from "./request-budget.ts";
import { isHeld, type TokenHolder } from "./token-store.ts";

/** What was cleared, in numbers of rows. */
export interface ClearedDead {
  /** Places in the queue of processes that died. */
  tickets: number;
  /** Requests of processes that died before they said that they had sent them; they count as sent now. */
  unsent: number;
  /** Rights to renew a token, of processes that died. */
  renewals: number;
  /** Waits that the service asked for before the machine was started anew. */
  holds: number;
}

/**
 * Clears from `client.db` what processes that died left there. Who sends requests does the same when it meets it;
 * nothing of a living process is touched.
 */
export function clearDead(database: Sqlite): ClearedDead {
  return database.immediate(() => {
    const now = monotonicMs();
    const tickets = database
      .all<TicketRow>("select * from ticket")
      .filter((ticket) => isAbandoned(ticket, now));
    for (const { id } of tickets) database.run("delete from ticket where id = ?", [id]);
    const unsent = database
      .all<HitRow>("select * from hit where sent_ms is null")
      .filter((hit) => isLost(hit, now));
    for (const { id } of unsent) database.run("update hit set sent_ms = ? where id = ?", [now, id]);
    const renewals = database
      .all<TokenHolder & { api: string }>("select api, holder, holder_process, lease_ms from token")
      .filter((row) => row.holder !== null && !isHeld(row));
    for (const { api } of renewals) database.run("update token set holder = null where api = ?", [api]);
    const holds = database.run("delete from budget where not_before_ms > ?", [now + longestPostponeMs]);
    return { tickets: tickets.length, unsent: unsent.length, renewals: renewals.length, holds };
  });
}
