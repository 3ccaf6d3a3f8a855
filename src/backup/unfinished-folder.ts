import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve, sep } from "node:path";
import { linkTarget } from "../util/files/folders.ts";
import { processStarted, sameProcessLives } from "../util/process-lives.ts";
import { backupFolderBusyError, backupFolderError, isFree } from "./errors.ts";

/** The marker in a folder that grows: the process that fills it. */
const ownerName = ".filled-by";
const ownerForm = /^(?<pid>\d+) (?<started>\d*) (?<host>.+)$/;

/**
 * The name under which a folder grows before it takes its place. What an earlier command left under it is removed.
 * @param kept a folder that is read meanwhile
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when that one would be removed, or a folder that no backup or restore made
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another process fills it
 */
export function clearUnfinished(folder: string, kept: string): string {
  const unfinished = `${folder}.unfinished`;
  if (isWithin(linkTarget(kept), unfinished))
    throw backupFolderError(
      `${kept} has the name under which ${folder} would grow, and would be removed. Rename it first.`,
    );
  // The command that made the folder was killed before it removed its marker.
  if (findOwner(folder)) endUnfinished(folder);
  const owner = findOwner(unfinished);
  if (owner && isAlive(owner)) throw backupFolderBusyError(unfinished, owner.pid);
  if (!owner && !isFree(unfinished) && !isOnlyMarker(unfinished))
    throw backupFolderError(
      `${unfinished} was not made by a backup or restore, but ${folder} would grow under that name. Rename or remove it.`,
    );
  removeUnfinished(unfinished);
  return unfinished;
}

/** Makes the folder, for this process alone. */
export function makeUnfinished(unfinished: string, mode = 0o777): void {
  mkdirSync(unfinished, { mode });
  const owner = [process.pid, processStarted(process.pid), hostname()];
  writeFileSync(join(unfinished, ownerName), owner.join(" "), { mode: 0o600 });
}

/** Removes the folder, its marker last: killed in between, the next command still knows it. */
export function removeUnfinished(unfinished: string): void {
  for (const name of listNames(unfinished))
    if (name !== ownerName) rmSync(join(unfinished, name), { recursive: true, force: true });
  rmSync(unfinished, { recursive: true, force: true });
}

/** Removes the marker of a folder that took its place. */
export function endUnfinished(folder: string): void {
  rmSync(join(folder, ownerName), { force: true });
}

interface Owner {
  pid: number;
  started: string;
  host: string;
}

/** The process that fills a folder, or filled it and was killed; `undefined` where no marker names one. */
function findOwner(folder: string): Owner | undefined {
  const { pid, started = "", host = "" } = ownerForm.exec(readMarker(folder))?.groups ?? {};
  return pid === undefined ? undefined : { pid: Number(pid), started, host };
}

function isAlive({ pid, started, host }: Owner): boolean {
  return host === hostname() && sameProcessLives(pid, started);
}

function readMarker(folder: string): string {
  try {
    return readFileSync(join(folder, ownerName), "utf8");
  } catch {
    return "";
  }
}

/** Killed while it wrote its marker, a command leaves it empty, and nothing else. */
function isOnlyMarker(folder: string): boolean {
  return listNames(folder).join() === ownerName;
}

/** Names in a folder; none where it is missing or something else. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a path lies in a folder, or is that folder. */
export function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}
