import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DataFolder } from "../config/data-folder.ts";
import { openDataState } from "../state/data/data-state.ts";
import { RunLockedError } from "../state/data/run-lock.ts";
import { syncToDisk } from "../util/files/durable-files.ts";
import { BackupFolderError, isFree } from "./backup-folder-error.ts";

/** @throws {BackupFolderError} when there is something that a restore would take the place of */
export function refuseUsed(folder: string): void {
  if (isFree(folder)) return;
  throw new BackupFolderError(
    `${folder} holds data already. To put it aside and restore, give --replace; or set VENUE_DATA_DIR to another folder.`,
  );
}

/**
 * Renames a data folder that is in the way: nothing of it is lost.
 * @returns its new name; `undefined` where nothing was there
 * @throws {RunLockedError} when a run works on it
 */
export function putAside(folder: string): string | undefined {
  if (isFree(folder)) return undefined;
  refuseBusy(new DataFolder(folder).stateFile);
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

function refuseBusy(stateFile: string): void {
  if (!existsSync(stateFile)) return;
  try {
    const state = openDataState(stateFile);
    try {
      state.runs.begin("restore")({ status: "succeeded", exitCode: 0, note: "put aside for a restore" });
    } finally {
      state.close();
    }
  } catch (error) {
    // A database that can't be read may be why the folder is replaced.
    if (error instanceof RunLockedError) throw error;
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
