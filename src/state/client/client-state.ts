import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { monotonicMs } from "../../util/clock.ts";
import { hasBrokenText, openSqlite, type Sqlite } from "../sqlite.ts";
import { SqliteUnusableError } from "../sqlite-errors.ts";
import { isAbandoned, longestPostponeMs, type TicketRow } from "./request-budget.ts";

/** In `VENUE_HOME`. */
export const clientFileName = "client.db";

/**
 * Opens `client.db`, which holds the access token, the request budget and the kept answers of every API client that
 * this user uses. It is created, with its folder, where it is missing, and readable by its owner alone.
 */
export function openClientState(path: string): Sqlite {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SqliteUnusableError(path, `its folder can't be made (${(cause as Error).message})`, { cause });
  }
  // After a power failure the token is asked for anew; no need to wait for the disk at every request.
  return openSqlite(path, "state/client", { durability: "normal", isDamaged: hasBrokenText });
}

/** How the request budget of one API client stands. */
interface BudgetReport {
  /** The client at its address. */
  api: string;
  sentLastMinute: number;
  /** Living processes that wait to send, in their order; one that waits for several requests stands there once. */
  waitingPids: number[];
  /** For so long the service wants nothing sent. */
  heldMs: number;
}

/** The budgets of all API clients that have sent or wait to send something lately. */
export function readBudgets(database: Sqlite): BudgetReport[] {
  const now = monotonicMs();
  const tickets = database
    .all<TicketRow & { api: string }>("select * from ticket order by id")
    .filter((ticket) => !isAbandoned(ticket, now));
  const hits = database.all<{ api: string; sent: number }>(
    "select api, count(*) as sent from hit where sent_ms between ? and ? group by api",
    [now - 60_000, now],
  );
  const holds = database.all<{ api: string; not_before_ms: number }>("select api, not_before_ms from budget");
  const names = new Set([...tickets, ...hits, ...holds].map(({ api }) => api));
  return [...names].sort().map((api) => {
    const heldMs = (holds.find((hold) => hold.api === api)?.not_before_ms ?? now) - now;
    return {
      api,
      sentLastMinute: hits.find((hit) => hit.api === api)?.sent ?? 0,
      waitingPids: [...new Set(tickets.filter((ticket) => ticket.api === api).map(({ pid }) => pid))],
      // Later than could be asked for: from before the machine was started anew.
      heldMs: heldMs > longestPostponeMs ? 0 : Math.max(0, heldMs),
    };
  });
}
