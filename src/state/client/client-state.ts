import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { monotonicMs } from "../../util/clock.ts";
import { sqliteUnusableError } from "../errors.ts";
import { isDatabaseDamaged, openSqlite, type Sqlite } from "../sqlite.ts";
import { isAbandoned, maxPostponeMs, type TicketRow } from "./request-budget.ts";

/** Name of the state file in `VENUE_HOME`. */
export const clientFileName = "client.db";

/**
 * Opens `client.db`, which holds the access tokens, request budgets and cached responses of this user's API
 * clients. If it is missing, creates it and its folder, readable only by their owner.
 */
export function openClientState(path: string): Sqlite {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw sqliteUnusableError(path, `its folder can't be created (${(cause as Error).message})`, { cause });
  }
  // Requests do not wait for the disk, because a token that is lost in a power failure can be requested
  // again.
  return openSqlite(path, "state/client", { durability: "normal", isDamaged: isDatabaseDamaged });
}

interface BudgetReport {
  /** Key of the client, made of its id and address. */
  api: string;
  sentLastMinute: number;
  /** Ids of the processes that are waiting to send requests, in order, without duplicates. */
  waitingPids: number[];
  /** Time left in a pause that the service requested, in milliseconds. */
  heldMs: number;
}

/** Returns the budgets of all API clients with recent or waiting requests. */
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
      // A pause longer than the maximum was recorded before the machine restarted, so it is ignored.
      heldMs: heldMs > maxPostponeMs ? 0 : Math.max(0, heldMs),
    };
  });
}
