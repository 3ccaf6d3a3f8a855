import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { processLives } from "../../util/process-lives.ts";

const form = /^spill-(\d+)-[0-9a-f]{8}-(.+)$/;
/** Where nobody here can tell whether a process lives: no statement takes as long. */
const surelyOldMs = 24 * 3_600_000;

/** A new name for the folder that one database spills into: it tells whose it is. */
export function spillName(): string {
  return `spill-${process.pid}-${randomBytes(4).toString("hex")}-${host()}`;
}

/** Removes the folders that databases of killed processes spilled into, as far as we may. */
export async function removeLeftSpills(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    const [, pid, at] = form.exec(name) ?? [];
    if (pid === undefined || !isLeft(Number(pid), at, path)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isLeft(pid: number, at: string | undefined, path: string): boolean {
  if (at === host()) return !processLives(pid);
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > surelyOldMs;
}

function host(): string {
  return hostname().replaceAll(/[^\w.-]/g, "_");
}
