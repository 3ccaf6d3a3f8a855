import { randomUUID } from "node:crypto";
import { readlinkSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasEnded, identifyThisProcess } from "../util/process-liveness.ts";
import { VenueError } from "../util/venue-error.ts";

/** The lock is held for a few milliseconds, so a longer wait means that its holder was killed or stopped. */
const defaultWaitMs = 10_000;
const pollMs = 20;

/**
 * Runs `body` while holding an exclusive lock on a file, across processes and machines. The lock is a link next to
 * it, whose target identifies the holder. If a process on this machine was killed while holding the lock, the lock
 * is removed. A lock from another machine is not, because nothing shows that its holder has ended.
 * @param body must finish within milliseconds
 * @throws {VenueError} `FILE_LOCKED` if another process keeps the lock
 */
export async function withFileLock<Result>(
  file: string,
  body: () => Result,
  longestWaitMs = defaultWaitMs,
): Promise<Result> {
  const lock = join(dirname(file), `.lock-${basename(file)}`);
  const startedMs = performance.now();
  while (!tryLock(lock)) {
    removeStale(lock);
    if (performance.now() - startedMs > longestWaitMs) throw fileLockedError(file, lock);
    await setTimeout(pollMs);
  }
  try {
    return body();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Creates the lock and its content in one step, so that other processes never see it empty. */
function tryLock(lock: string): boolean {
  try {
    symlinkSync(`${identifyThisProcess()}\n${randomUUID()}`, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a killed process. Several processes may try this at once. Only the one that creates a link
 * named after the lock's content may remove it, so none removes a lock that was created meanwhile.
 */
function removeStale(lock: string): void {
  const content = findTarget(lock);
  const [holder = "", id = ""] = content?.split("\n") ?? [];
  if (content === undefined || !hasEnded(holder)) return;
  const claim = `${lock}.${id}`;
  if (!tryLock(claim)) return;
  if (findTarget(lock) === content) rmSync(lock, { force: true });
  rmSync(claim, { force: true });
}

function findTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function fileLockedError(file: string, lock: string): VenueError {
  return new VenueError(
    "FILE_LOCKED",
    "busy",
    `${file} is locked by ${lock}, which another process created and has not removed. If no other machine is writing there, remove that file, and run this again.`,
  );
}
