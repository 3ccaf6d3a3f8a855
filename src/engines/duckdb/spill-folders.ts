import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findProcessStart, getProcessSpace, isSameProcessAlive } from "../../util/process-liveness.ts";

const form = /^spill-(\d+)-(\d*)-[0-9a-f]{8}-(.+)$/;
/**
 * Age at which a folder is treated as stale if its process can't be checked. Even `venue serve` reopens
 * versions more often.
 */
const maxAgeMs = 7 * 24 * 3_600_000;

/** Returns a new name for a database's spill folder, which identifies its process. */
export function createSpillName(): string {
  // The name includes the start time, because every run in a container may have the same process id.
  const started = findProcessStart(process.pid);
  return `spill-${process.pid}-${started}-${randomBytes(4).toString("hex")}-${getProcessSpace()}`;
}

/** Removes spill folders of killed processes, as far as permissions allow. */
export async function removeStaleSpills(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!form.test(name) || isSpillFolderInUse(parent, name)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Returns true if a running process may still spill to this folder, even if the folder is empty now. */
function isSpillFolderInUse(parent: string, name: string): boolean {
  const [, pid, started = "", at] = form.exec(name) ?? [];
  if (pid === undefined) return false;
  if (at === getProcessSpace()) return isSameProcessAlive(Number(pid), started);
  const { mtimeMs = 0 } = statSync(join(parent, name), { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs <= maxAgeMs;
}
