import { findOddCharacter } from "../util/files/folders.ts";
import { VenueError } from "../util/venue-error.ts";

/** A folder that can't be made; any other file that is missing is no trouble of the folder. */
const noFolder = "mkdir ENOENT";

/** What cannot be written there, and what to do about it, by the system's code. */
const reasons: Record<string, string> = {
  ENOSPC: "the disk is full. Free some space, and run this again",
  EDQUOT: "the disk quota is used up. Free some space, and run this again",
  EIO: "the disk failed. Check it, and the system's log, and run this again",
  EACCES: "this user may not write there. Change the folder's owner or mode, or choose another folder",
  EPERM: "this user may not write there. Change the folder's owner or mode, or choose another folder",
  EROFS: "the file system is read-only. Choose another folder",
  ENOTDIR: "a part of the path is a file. Choose another folder",
  EISDIR:
    "`current` there is a folder instead of a link, as some programs copy it. Remove that folder, and run this again",
  EEXIST: "a part of the path is a file. Choose another folder",
  [noFolder]: "no folder can be made there. Choose another folder",
};

/** What the same troubles read like when DuckDB meets them. */
const messages: [RegExp, string][] = [
  [/No space left on device|not enough disk space/i, "ENOSPC"],
  [/Input\/output error/i, "EIO"],
  [/Disk quota exceeded/i, "EDQUOT"],
  [/Permission denied/i, "EACCES"],
  [/Read-only file system/i, "EROFS"],
  [/Not a directory/i, "ENOTDIR"],
];

/** The folder to publish into can't be written. What was published before is untouched. */
export class PublishFolderError extends VenueError {
  override readonly name = "PublishFolderError";
  readonly code = "PUBLISH_FOLDER_UNUSABLE";
  readonly category = "usage";
  readonly folder: string;

  constructor(folder: string, reason: string, options?: ErrorOptions) {
    super(`Can't publish into ${folder}: ${reason}. What was published before is untouched.`, options);
    this.folder = folder;
  }
}

/**
 * Runs `body`, unless DuckDB misreads the folder's path. Troubles of the folder or its disk become a `PublishFolderError`,
 * all else passes.
 */
export async function translatingFolderErrors<Result>(
  folder: string,
  body: () => Promise<Result>,
): Promise<Result> {
  const odd = findOddCharacter(folder);
  if (odd !== undefined) {
    throw new PublishFolderError(folder, `DuckDB misreads a path with a ${odd} in it. Choose another folder`);
  }
  try {
    return await body();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const told = code === "ENOENT" ? `${syscall} ${code}` : code;
    const known =
      told && told in reasons ? told : messages.find(([pattern]) => pattern.test(message ?? ""))?.[1];
    const reason = known ? reasons[known] : undefined;
    throw reason ? new PublishFolderError(folder, reason, { cause: error }) : error;
  }
}
