import { VenueError } from "../util/venue-error.ts";

export function backupFolderError(message: string, options?: ErrorOptions): VenueError {
  return new VenueError("BACKUP_FOLDER_IN_USE", "usage", message, options);
}

export function folderInUseError(folder: string, options?: ErrorOptions): VenueError {
  return backupFolderError(
    `${folder} is not empty. Add --replace to move it aside before restoring, or set VENUE_DATA_DIR to another folder.`,
    options,
  );
}

export function noBackupError(location: string): VenueError {
  return new VenueError(
    "NO_BACKUP",
    "usage",
    `${location} has no backup.json, so it is not a backup. Specify one created by \`venue backup\`.`,
  );
}

export function backupTooNewError(location: string): VenueError {
  return new VenueError(
    "BACKUP_TOO_NEW",
    "usage",
    `${location} was created by a newer version of venue-analytics. Install that version to restore it.`,
  );
}

export function backupDamagedError(path: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "BACKUP_DAMAGED",
    "damage",
    `${path} is missing or damaged. Nothing was restored. Restore from another backup.`,
    options,
  );
}
