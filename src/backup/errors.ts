import { readdirSync } from "node:fs";
import { VenueError } from "../util/venue-error.ts";

export function backupFolderError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("BACKUP_FOLDER_IN_USE", "usage", message, options);
}

export function backupFolderBusyError(folder: string, pid: number): VenueError {
  return new VenueError(
    "BACKUP_FOLDER_BUSY",
    "busy",
    `Another backup or restore (process ${pid}) is writing to ${folder}. Try again when it has finished.`,
  );
}

/** Returns true if the folder is missing or empty. */
export function isFolderFree(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
