import type { Manifest } from "../mart/manifest.ts";
import { FolderStorage } from "../storage/folder-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { findUnsupportedCharacter } from "../util/files/folders.ts";
import { VenueError } from "../util/venue-error.ts";

/** A published file is missing or was changed. */
export function publishedFilesDamagedError(file: string): VenueError {
  return new VenueError(
    "PUBLISHED_FILES_DAMAGED",
    "damage",
    `${file} is missing or has changed since it was written. Run \`venue build --full\` to rewrite every file.`,
  );
}

/** Another publish to the same place was faster. @param publisher who, what and when */
export function publishOvertakenError(
  location: string,
  version: string,
  publisher = "its current version was removed",
): VenueError {
  return new VenueError(
    "PUBLISH_OVERTAKEN",
    "busy",
    `While ${version} was being published into ${location}, ${publisher}. Nothing was overwritten. ` +
      "To replace it, run this again. If two machines publish different data, give each its own folder or prefix.",
  );
}

/** Readers see a version that the one to publish does not continue. */
export function publishTargetForeignError(
  location: string,
  shown: Manifest,
  next: Manifest,
  isNewer: boolean,
): VenueError {
  const reason = isNewer ? "is newer than" : "was not published from the warehouse of";
  return new VenueError(
    "PUBLISH_TARGET_FOREIGN",
    "damage",
    `${location} shows ${shown.version}, built ${shown.built_at}, which ${reason} ${next.version}, built ${next.built_at}. ` +
      "Nothing was published. Check the target and the data folder, or replace that version with --accept-loss.",
  );
}

/** @param finding the problem, with the path */
export function publishTargetDamagedError(location: string, finding: string): VenueError {
  return new VenueError(
    "PUBLISH_TARGET_DAMAGED",
    "damage",
    `What is published in ${location} is damaged: ${finding}. It may be newer than yours, so nothing was published. ` +
      "To replace it, publish with --accept-loss.",
  );
}

export function publishTargetUnknownError(address: string): VenueError {
  return new VenueError(
    "PUBLISH_TARGET_UNKNOWN",
    "usage",
    `${address} was written by a newer version of venue-analytics. Install that version, or use another prefix.`,
  );
}

/** ENOENT is a folder error only if a folder could not be created, not if another file is missing. */
const noFolder = "mkdir ENOENT";

/** The reason and its remedy, by system error code. */
const reasons: Record<string, string> = {
  ENOSPC: "the disk is full. Free some space, and run this again",
  EDQUOT: "the disk quota is used up. Free some space, and run this again",
  EIO: "the disk failed. Check it, and the system's log, and run this again",
  EACCES: "this user can't write there. Change the folder's owner or mode, or choose another folder",
  EPERM: "this user can't write there. Change the folder's owner or mode, or choose another folder",
  EROFS: "the file system is read-only. Choose another folder",
  ENOTDIR: "a part of the path is a file. Choose another folder",
  EISDIR:
    "`current` there is a folder instead of a link, probably created by a copy program. Remove that folder, and run this again",
  EEXIST: "a part of the path is a file. Choose another folder",
  [noFolder]: "no folder can be created there. Choose another folder",
};

/** DuckDB's messages for the same errors. */
const messages: [RegExp, string][] = [
  [/No space left on device|not enough disk space/i, "ENOSPC"],
  [/Input\/output error/i, "EIO"],
  [/Disk quota exceeded/i, "EDQUOT"],
  [/Permission denied/i, "EACCES"],
  [/Read-only file system/i, "EROFS"],
  [/Not a directory/i, "ENOTDIR"],
];

function publishFolderError(folder: string, reason: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "PUBLISH_FOLDER_UNUSABLE",
    "usage",
    `Can't publish into ${folder}: ${reason}. Versions published earlier are unchanged.`,
    options,
  );
}

/**
 * Runs `body`, unless DuckDB would misread the folder's path. Errors caused by the folder or its disk become
 * `PUBLISH_FOLDER_UNUSABLE`; other errors are rethrown unchanged.
 */
export async function withFolderErrors<Result>(
  target: string | Storage,
  body: () => Promise<Result>,
): Promise<Result> {
  const folder = target instanceof FolderStorage ? target.location : target;
  if (typeof folder !== "string") return await body();
  const odd = findUnsupportedCharacter(folder);
  if (odd !== undefined) {
    throw publishFolderError(folder, `DuckDB misreads a path with a ${odd} in it. Choose another folder`);
  }
  try {
    return await body();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const errorKey = code === "ENOENT" ? `${syscall} ${code}` : code;
    const known =
      errorKey && errorKey in reasons
        ? errorKey
        : messages.find(([pattern]) => pattern.test(message ?? ""))?.[1];
    const reason = known ? reasons[known] : undefined;
    throw reason ? publishFolderError(folder, reason, { cause: error }) : error;
  }
}
