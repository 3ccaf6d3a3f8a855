import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasEnded, identifyOwnProcess } from "../util/process-liveness.ts";
import { VenueError } from "../util/venue-error.ts";

/** The lock is held for a few milliseconds, so a longer wait means that its holder was killed or stopped. */
const defaultWaitMs = 10_000;
const pollMs = 20;

/**
 * Runs `body` while holding an exclusive lock on a file, across processes and machines. The lock is another file next
 * to it. If a process on this machine was killed while holding the lock, the lock is removed. A lock from another
 * machine is not, because nothing shows that its holder has ended.
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
  const own = `${lock}.${randomUUID()}`;
  writeFileSync(own, `${identifyOwnProcess()}\n${randomUUID()}\n`);
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes the lock of a killed process. Several processes may try this at once. Only the one that creates a hard link
 * named after the lock's content may remove it, so none removes a lock that was created meanwhile.
 */
function removeStale(lock: string): void {
  const content = readIfExists(lock);
  const [holder = "", id = ""] = content?.split("\n") ?? [];
  if (content === undefined || !hasEnded(holder)) return;
  const claim = `${lock}.${id}`;
  try {
    linkSync(lock, claim);
  } catch {
    // The lock is gone, or another process is removing it.
    return;
  }
  if (readIfExists(claim) === content) rmSync(lock, { force: true });
  rmSync(claim, { force: true });
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function fileLockedError(file: string, lock: string): VenueError {
  return new VenueError(
    "FILE_LOCKED",
    "busy",
    `${file} is locked by ${lock}, which another process created and has not removed. If no other machine is writing there, remove that file, and run this again.`,
  );
}
