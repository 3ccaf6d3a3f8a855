import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { processSpace, processStarted, sameProcessLives } from "../../util/process-lives.ts";

const form = /^spill-(\d+)-(\d*)-[0-9a-f]{8}-(.+)$/;
/** Where nobody here can tell whether a process lives: `venue serve` opens each version anew, so none is used for as long. */
const surelyOldMs = 7 * 24 * 3_600_000;

/** A new name for the folder that one database spills into: it tells whose it is. */
export function spillName(): string {
  // In a container every run may have the same number.
  const started = processStarted(process.pid);
  return `spill-${process.pid}-${started}-${randomBytes(4).toString("hex")}-${processSpace()}`;
}

/** Removes the folders that databases of killed processes spilled into, as far as we may. */
export async function removeLeftSpills(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!form.test(name) || mayBeSpilledInto(parent, name)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether it is a folder that a living process may spill into, also where it has nothing there just now. */
export function mayBeSpilledInto(parent: string, name: string): boolean {
  const [, pid, started = "", at] = form.exec(name) ?? [];
  if (pid === undefined) return false;
  if (at === processSpace()) return sameProcessLives(Number(pid), started);
  const { mtimeMs = 0 } = statSync(join(parent, name), { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs <= surelyOldMs;
}
