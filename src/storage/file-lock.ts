import { randomUUID } from "node:crypto";
import { readlinkSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasEnded, identifyThisProcess } from "../util/process-liveness.ts";
import { VenueError } from "../util/venue-error.ts";

/** A lock is held for a few milliseconds. If the wait takes longer than this, its holder was killed or stopped. */
const defaultWaitMs = 10_000;
const pollMs = 20;

/**
 * Runs `body` while holding an exclusive lock on a file, across processes and machines. The lock is a link next to
 * the file, whose target identifies the holder. The lock of a killed process on this machine is removed. A lock
 * from another machine is not removed, because its holder may still be running.
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

/** Creates the lock and its content in one step, so that other processes never read an empty lock. */
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
 * named after the lock's content may remove it, so a lock created in the meantime is never removed.
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
