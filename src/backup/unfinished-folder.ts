import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve, sep } from "node:path";
import { linkTarget } from "../util/files/link-target.ts";
import { processStarted, sameProcessLives } from "../util/process-lives.ts";
import { BackupFolderBusyError, BackupFolderError } from "./backup-folder-error.ts";

/** In a folder that grows: who fills it. */
const ownerName = ".filled-by";

/**
 * The name under which a folder grows before it takes its place. What an earlier command left under it is removed.
 * @param kept a folder that is read meanwhile
 * @throws {BackupFolderError} when that one would be removed
 * @throws {BackupFolderBusyError} when another process fills it
 */
export function clearUnfinished(folder: string, kept: string): string {
  const unfinished = `${folder}.unfinished`;
  if (isWithin(linkTarget(kept), unfinished))
    throw new BackupFolderError(
      `${kept} has the name under which ${folder} would grow, and would be removed. Rename it first.`,
    );
  const pid = findOwner(unfinished);
  if (pid !== undefined) throw new BackupFolderBusyError(unfinished, pid);
  rmSync(unfinished, { recursive: true, force: true });
  return unfinished;
}

/** Makes the folder, for this process alone. */
export function makeUnfinished(unfinished: string, mode = 0o777): void {
  mkdirSync(unfinished, { mode });
  const owner = [process.pid, processStarted(process.pid), hostname()];
  writeFileSync(join(unfinished, ownerName), owner.join(" "), { mode: 0o600 });
}

/** To be called when it is whole, before it takes its place. */
export function endUnfinished(unfinished: string): void {
  rmSync(join(unfinished, ownerName));
}

/** The process that fills a folder; `undefined` where there is none on this machine: it was killed. */
function findOwner(unfinished: string): number | undefined {
  const [pid = "", started = "", ...host] = readOwner(unfinished).split(" ");
  const isFilled = host.join(" ") === hostname() && sameProcessLives(Number(pid), started);
  return isFilled ? Number(pid) : undefined;
}

function readOwner(unfinished: string): string {
  try {
    return readFileSync(join(unfinished, ownerName), "utf8");
  } catch {
    return "";
  }
}

/** Whether a path lies in a folder, or is that folder. */
export function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}
