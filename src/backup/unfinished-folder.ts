import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve, sep } from "node:path";
import { resolveLinks } from "../util/files/folders.ts";
import { findProcessStart, isSameProcessAlive } from "../util/process-liveness.ts";
import { backupFolderBusyError, backupFolderError, isFolderFree } from "./errors.ts";

/** Marker file that names the process filling the folder. */
const ownerName = ".filled-by";
const ownerForm = /^(?<pid>\d+) (?<started>\d*) (?<host>.+)$/;

/**
 * Returns the temporary path at which a folder is written. Removes what an earlier command left there.
 * @param kept a folder that is still being read and must not be removed
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when this would remove `kept`, or a folder that was not created
 * by a backup or restore
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another process is writing to it
 */
export function clearUnfinished(folder: string, kept: string): string {
  const unfinished = `${folder}.unfinished`;
  if (isWithin(resolveLinks(kept), unfinished))
    throw backupFolderError(
      `${kept} has the temporary name used while writing ${folder} and would be removed. Rename it first.`,
    );
  // A marker in the finished folder means that the command that created it was killed before removing the
  // marker.
  if (findOwner(folder)) removeMarker(folder);
  const owner = findOwner(unfinished);
  if (owner && isAlive(owner)) throw backupFolderBusyError(unfinished, owner.pid);
  if (!owner && !isFolderFree(unfinished) && !isOnlyMarker(unfinished))
    throw backupFolderError(
      `${unfinished} was not created by a backup or restore, but has the temporary name used while writing ${folder}. Rename or remove it.`,
    );
  removeUnfinished(unfinished);
  return unfinished;
}

/** Creates the folder and claims it for this process. */
export function createUnfinished(unfinished: string, mode = 0o777): void {
  mkdirSync(unfinished, { mode });
  const owner = [process.pid, findProcessStart(process.pid), hostname()];
  writeFileSync(join(unfinished, ownerName), owner.join(" "), { mode: 0o600 });
}

/**
 * Removes the folder. Removes the marker last, so that if this process is killed, the next command still
 * recognises the folder.
 */
export function removeUnfinished(unfinished: string): void {
  for (const name of listNames(unfinished))
    if (name !== ownerName) rmSync(join(unfinished, name), { recursive: true, force: true });
  rmSync(unfinished, { recursive: true, force: true });
}

/** Removes the marker of a finished folder. */
export function removeMarker(folder: string): void {
  rmSync(join(folder, ownerName), { force: true });
}

interface Owner {
  pid: number;
  started: string;
  host: string;
}

/**
 * Returns the process that is writing the folder, or was killed while writing it; `undefined` if there is no
 * marker.
 */
function findOwner(folder: string): Owner | undefined {
  const { pid, started = "", host = "" } = ownerForm.exec(readMarker(folder))?.groups ?? {};
  return pid === undefined ? undefined : { pid: Number(pid), started, host };
}

function isAlive({ pid, started, host }: Owner): boolean {
  return host === hostname() && isSameProcessAlive(pid, started);
}

function readMarker(folder: string): string {
  try {
    return readFileSync(join(folder, ownerName), "utf8");
  } catch {
    return "";
  }
}

/**
 * Returns true if the folder contains nothing but a marker. A command that is killed while writing its marker
 * leaves an empty one.
 */
function isOnlyMarker(folder: string): boolean {
  return listNames(folder).join() === ownerName;
}

/** Lists the names in a folder. Empty if it is missing or is not a folder. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns true if the path is the folder or is inside it. */
export function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}
