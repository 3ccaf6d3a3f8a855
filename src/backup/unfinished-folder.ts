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
 * Returns the temporary name under which a folder is written, after removing what an earlier command left
 * there.
 * @param kept a folder that is being read
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when this would remove `kept`, or a folder that no backup or
 * restore made
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another process is filling it
 */
export function clearUnfinished(folder: string, kept: string): string {
  const unfinished = `${folder}.unfinished`;
  if (isWithin(resolveLinks(kept), unfinished))
    throw backupFolderError(
      `${kept} has the temporary name used while writing ${folder} and would be removed. Rename it first.`,
    );
  // The command that created the folder was killed before it removed its marker.
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

/** Removes the folder, its marker last, so that after a kill the next command still recognises it. */
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

/** Returns the process that is filling the folder, or was killed doing so; `undefined` without a marker. */
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

/** A command killed while writing its marker leaves only an empty marker. */
function isOnlyMarker(folder: string): boolean {
  return listNames(folder).join() === ownerName;
}

/** Names in a folder; empty if it is missing or not a folder. */
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
