import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DataFolder } from "../config/data-folder.ts";
import { type DataState, openDataState } from "../state/data/data-state.ts";
import type { RunEnd } from "../state/data/runs.ts";
import { syncToDisk } from "../util/files/durable-files.ts";
import { VenueError } from "../util/venue-error.ts";
import { BackupFolderError, isFree } from "./backup-folder-error.ts";

/** @throws {BackupFolderError} when there is something that a restore would take the place of */
export function refuseUsed(folder: string): void {
  if (isFree(folder)) return;
  throw new BackupFolderError(
    `${folder} holds data already. To put it aside and restore, give --replace; or set VENUE_DATA_DIR to another folder.`,
  );
}

/** Ends the run that holds the lock; only its first call counts. */
export type Unlock = (end: RunEnd) => void;

/**
 * Takes the run lock of a data folder, if it has one.
 * @throws {RunLockedError} when a run works on it
 */
export async function lockRuns(folder: string, signal: AbortSignal): Promise<Unlock> {
  const { stateFile } = new DataFolder(folder);
  if (!existsSync(stateFile)) return () => {};
  let state: DataState | undefined;
  let unlock: Unlock | undefined;
  try {
    state = openDataState(stateFile);
    unlock = state.runs.begin("restore", await state.runs.watchForeignRun({ signal }));
  } catch (error) {
    state?.close();
    ignoreUnusable(error);
  }
  return (end) => {
    try {
      unlock?.(end);
    } catch (error) {
      ignoreUnusable(error);
    } finally {
      unlock = undefined;
      state?.close();
    }
  };
}

/** A database that can't be read or written may be why the folder is replaced. */
function ignoreUnusable(error: unknown): void {
  if (!(error instanceof VenueError) || error.category === "busy") throw error;
}

/**
 * Renames a data folder that is in the way: nothing of it is lost.
 * @returns its new name; `undefined` where nothing was there
 */
export function putAside(folder: string): string | undefined {
  if (isFree(folder)) return undefined;
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const named = `${folder}.replaced-${stamp}`;
  // Several within a second each get a name of their own.
  let aside = named;
  for (let count = 2; existsSync(aside); count += 1) aside = `${named}-${count}`;
  renamePlace(folder, folder, aside);
  return aside;
}

/**
 * The restored folder gets its name: an empty one that has it gives way. Where it can't have it, the one that was put
 * aside gets it back.
 */
export function takePlace(restored: string, folder: string, aside: string | undefined): void {
  try {
    renamePlace(folder, restored, folder);
  } catch (error) {
    if (aside !== undefined) giveBack(folder, aside, error);
    throw error;
  } finally {
    syncToDisk(dirname(folder));
  }
}

function giveBack(folder: string, aside: string, cause: unknown): void {
  try {
    renameSync(aside, folder);
  } catch {
    throw new BackupFolderError(
      `${folder} can't be replaced, and what it held is in ${aside} now. Rename that to ${folder}, and restore again.`,
      { cause },
    );
  }
}

function renamePlace(folder: string, from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EBUSY" && code !== "EXDEV") throw cause;
    throw new BackupFolderError(
      `${folder} is where a disk is mounted, so nothing can take its place. Set VENUE_DATA_DIR to a folder within it.`,
      { cause },
    );
  }
}
