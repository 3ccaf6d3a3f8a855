import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getCredentialsPath } from "../../config/credentials-file.ts";
import { isOtherProcessAlive } from "../../util/process-liveness.ts";

const venueFiles =
  /^(credentials\.json\.\d+\.part|(credentials|webhooks)\.json((\.\d+)?\.unfinished)?|secret-answer\.\d+\.txt|client\.db(-wal|-shm)?)$/;

/** Repairs `VENUE_HOME`. @returns the repairs made */
export function repairHome(home: string): string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home);
  const own = names.filter((name) => venueFiles.test(name));
  return [
    // The folder's mode is changed only if it contains no other files, because a folder that other programs use
    // may be accessible on purpose.
    ...(own.length === names.length ? restrictAccess(home, 0o700) : []),
    ...own.flatMap((name) => restrictAccess(join(home, name), 0o600)),
    ...own.filter((name) => name.endsWith(".part")).flatMap((name) => recoverLogin(home, name)),
    ...own.filter((name) => name.endsWith(".unfinished")).flatMap((name) => removeCopy(join(home, name))),
  ];
}

/** Revokes other users' access to a file or folder that this user owns. */
function restrictAccess(path: string, mode: number): string[] {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  const isOurs = facts?.uid === process.getuid?.();
  if (!facts || !isOurs || facts.isSymbolicLink() || (facts.mode & 0o077) === 0) return [];
  chmodSync(path, mode);
  return [`made ${path} private to this user (mode ${formatMode(facts.mode & 0o777)} → ${formatMode(mode)})`];
}

function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

/** Handles the file of a killed login, which is empty or contains a secret that exists nowhere else. */
function recoverLogin(home: string, name: string): string[] {
  // A file with the id of this process is stale too, because this process is not a login.
  if (isOtherProcessAlive(Number(/\.(\d+)\.part$/.exec(name)?.[1]))) return [];
  const part = join(home, name);
  const content = readFileSync(part, "utf8");
  if (content.trim() === "") {
    rmSync(part);
    return [`removed the empty ${part} of a killed login`];
  }
  const path = getCredentialsPath(home);
  if (!isCredentials(content) || existsSync(path))
    return [`kept ${part}: it may hold a secret that cannot be recovered; if so, rename it to ${path}`];
  renameSync(part, path);
  return [`stored the secret of an earlier login from ${part} as ${path}`];
}

function isCredentials(content: string): boolean {
  try {
    const { client_id, client_secret } = Object(JSON.parse(content));
    return typeof client_id === "string" && typeof client_secret === "string";
  } catch {
    return false;
  }
}

/** Removes a copy of a secret that the backup or `credentials.json` still contains. */
function removeCopy(copy: string): string[] {
  rmSync(copy, { force: true });
  return [`removed ${copy}, left by a killed restore or run`];
}
