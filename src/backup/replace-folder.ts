import { readdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { syncToDisk } from "../util/files/durable-files.ts";
import { backupFolderError, folderInUseError } from "./errors.ts";

/**
 * Renames a restored folder to its final name. If this fails, the previous folder keeps its name or gets it
 * back.
 * @param replace if true, a previous folder is renamed
 * @returns the previous folder's new path; `undefined` if it was missing or empty
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE`
 */
export function replaceFolder(restored: string, folder: string, replace: boolean): string | undefined {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  const aside = replace && !isFolderFree(folder) ? `${folder}.replaced-${stamp}` : undefined;
  try {
    if (aside !== undefined) renameSync(folder, aside);
    try {
      renameSync(restored, folder);
    } catch (error) {
      if (aside !== undefined) renameSync(aside, folder);
      throw error;
    }
    return aside;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") throw folderInUseError(folder, { cause });
    if (code !== "EBUSY" && code !== "EXDEV") throw cause;
    throw backupFolderError(
      `${folder} is a mount point, so it can't be replaced. Set VENUE_DATA_DIR to a folder within it.`,
      { cause },
    );
  } finally {
    syncToDisk(dirname(folder));
  }
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
