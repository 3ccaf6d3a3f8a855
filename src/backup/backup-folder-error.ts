import { readdirSync } from "node:fs";
import { VenueError } from "../util/venue-error.ts";

/** A backup or a restore would write over something. */
export class BackupFolderError extends VenueError {
  override readonly name = "BackupFolderError";
  readonly code = "BACKUP_FOLDER_IN_USE";
  readonly category = "usage";
}

/** Another backup or restore fills the folder. */
export class BackupFolderBusyError extends VenueError {
  override readonly name = "BackupFolderBusyError";
  readonly code = "BACKUP_FOLDER_BUSY";
  readonly category = "busy";
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`Another backup or restore, process ${pid}, fills ${folder} now. Wait until it ends.`);
    this.pid = pid;
  }
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
