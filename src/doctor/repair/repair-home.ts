import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getCredentialsPath } from "../../config/credentials-file.ts";
import { clientFileName, openClientState } from "../../state/client/client-state.ts";
import {
  type HitRow,
  isAbandoned,
  isLost,
  maxPostponeMs,
  type TicketRow,
} from "../../state/client/request-budget.ts";
import { isHeld, type TokenHolder } from "../../state/client/token-store.ts";
import type { Sqlite } from "../../state/sqlite.ts";
import { monotonicMs } from "../../util/clock.ts";
import { isOtherProcessAlive } from "../../util/process-liveness.ts";
import { countOf } from "../../util/text/words.ts";

const ownFiles =
  /^(credentials\.json\.\d+\.part|(credentials|webhooks)\.json((\.\d+)?\.unfinished)?|secret-answer\.\d+\.txt|client\.db(-wal|-shm)?)$/;

/** Repairs `VENUE_HOME`. @returns the repairs made */
export function repairHome(home: string): string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home);
  const own = names.filter((name) => ownFiles.test(name));
  return [
    // The folder's own mode changes only if it contains no other files, because a folder that other programs
    // use may be open to others on purpose.
    ...(own.length === names.length ? restrictAccess(home, 0o700) : []),
    ...own.flatMap((name) => restrictAccess(join(home, name), 0o600)),
    ...own.filter((name) => name.endsWith(".part")).flatMap((name) => recoverLogin(home, name)),
    ...own.filter((name) => name.endsWith(".unfinished")).flatMap((name) => removeCopy(home, name)),
    ...(own.includes(clientFileName) ? clearClient(join(home, clientFileName)) : []),
  ];
}

/** Revokes other users' access to a file or folder that this user owns. */
function restrictAccess(path: string, mode: number): string[] {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  const isOurs = facts?.uid === process.getuid?.();
  if (!facts || !isOurs || facts.isSymbolicLink() || (facts.mode & 0o077) === 0) return [];
  chmodSync(path, mode);
  return [`made ${path} private to this user (mode ${text(facts.mode & 0o777)} → ${text(mode)})`];
}

function text(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

/**
 * Handles the file left by a killed login. It is either empty or contains a secret that exists nowhere else.
 */
function recoverLogin(home: string, name: string): string[] {
  const pid = Number(/\.(\d+)\.part$/.exec(name)?.[1]);
  // A file with this process's own id is stale too, because this process is not a login.
  if (isOtherProcessAlive(pid)) return [];
  const part = join(home, name);
  const content = readFileSync(part, "utf8");
  if (content.trim() === "") {
    rmSync(part);
    return [`removed the empty ${part} of a killed login`];
  }
  const path = getCredentialsPath(home);
  if (!isCredentials(content) || existsSync(path)) {
    return [`kept ${part}: it may hold a secret that cannot be recovered; if so, rename it to ${path}`];
  }
  renameSync(part, path);
  return [`stored the secret of an earlier login from ${part} as ${path}`];
}

/**
 * Removes a copy left by a killed restore or run. The backup or `credentials.json` still contains the secret.
 */
function removeCopy(home: string, name: string): string[] {
  const copy = join(home, name);
  rmSync(copy, { force: true });
  return [`removed ${copy}, left by a killed restore or run`];
}

function isCredentials(content: string): boolean {
  try {
    const { client_id, client_secret } = Object(JSON.parse(content));
    return typeof client_id === "string" && typeof client_secret === "string";
  } catch {
    return false;
  }
}

function clearClient(path: string): string[] {
  const state = openClientState(path);
  try {
    const { tickets, unsent, renewals, holds } = clearDeadProcesses(state);
    const cleared = [
      [tickets, "request queue place"],
      [unsent, "granted but unsent request"],
      [renewals, "token renewal lease"],
      [holds, "outdated pause"],
    ] as const;
    const found = cleared.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
    return found.length === 0 ? [] : [`cleared ${found.join(", ")} of dead processes from ${path}`];
  } finally {
    state.close();
  }
}

interface ClearedEntries {
  /** Number of places in the request queue that dead processes held. */
  tickets: number;
  /** Number of requests that dead processes never reported as sent. They now count as sent. */
  unsent: number;
  /** Number of token renewal leases that dead processes held. */
  renewals: number;
  /** Number of pauses that the service requested before the machine restarted. */
  holds: number;
}

/**
 * Removes entries of dead processes from `client.db`. Clients do the same whenever they find such entries.
 */
function clearDeadProcesses(database: Sqlite): ClearedEntries {
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
    const holds = database.run("delete from budget where not_before_ms > ?", [now + maxPostponeMs]);
    return { tickets: tickets.length, unsent: unsent.length, renewals: renewals.length, holds };
  });
}
