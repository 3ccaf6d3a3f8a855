import { readdirSync } from "node:fs";
import { VenueError } from "../util/venue-error.ts";

/** A backup or a restore would write over something. */
export function backupFolderError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("BACKUP_FOLDER_IN_USE", "usage", message, options);
}

/** Another backup or restore fills the folder. */
export function backupFolderBusyError(folder: string, pid: number): VenueError {
  return new VenueError(
    "BACKUP_FOLDER_BUSY",
    "busy",
    `Another backup or restore, process ${pid}, fills ${folder} now. Wait until it ends.`,
  );
}

/** Whether nothing would be lost if something took a folder's place. */
export function isFree(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
