import { VenueError } from "../util/venue-error.ts";

/** The file is not a database, or its content is damaged. */
export function sqliteDamagedError(path: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "SQLITE_DAMAGED",
    "damage",
    `${path} is damaged and can't be read as a database. Move it away, with its -wal and -shm files, and run this ` +
      "again; a new one will be created.",
    options,
  );
}

/**
 * The database cannot be used, for example because it is read-only, the user has no permission, or the disk
 * is full.
 */
export function sqliteUnusableError(path: string, reason: string, options?: ErrorOptions): VenueError {
  return new VenueError("SQLITE_UNUSABLE", "usage", `${path} can't be used: ${reason}.`, options);
}

/** Another process keeps a transaction open. */
export class SqliteInUseError extends VenueError {
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(
      "SQLITE_IN_USE",
      "busy",
      `${path} is locked by another process, which may be stopped or stuck. Stop it, and run this again. If there is ` +
        "none, the folder's file system does not support locks, like some network drives: choose a folder on a local disk.",
      options,
    );
    this.path = path;
  }
}

/** Primary result codes of SQLite, and one extended code. */
const resultCode = {
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
  /** Extended code for a full disk on creating the -shm file. */
  ioerrShmsize: 4874,
};

/**
 * Messages about missing parts of the schema. Migrations create all parts, so the file must have been
 * damaged.
 */
const missingPart = /^no such (table|column): |^table \S+ has no column named /;

/** Translates an error from SQLite or the file system. Returns any other error, which is a bug, unchanged. */
export function translateSqliteError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof VenueError) return error;
  const options = { cause: error };
  if (error.message === "malformed JSON" || missingPart.test(error.message))
    return sqliteDamagedError(path, options);
  switch (getPrimaryCode(error)) {
    case resultCode.notadb:
    case resultCode.corrupt:
      return sqliteDamagedError(path, options);
    case resultCode.busy:
    case resultCode.locked:
      return new SqliteInUseError(path, options);
    case resultCode.full:
      return sqliteUnusableError(path, "the disk is full; make room, and run this again", options);
    case resultCode.readonly:
    case resultCode.perm:
      return sqliteUnusableError(path, "it, or its folder, is read-only for this user", options);
    case resultCode.cantopen:
      return sqliteUnusableError(path, "it can't be opened; check the folder and its permissions", options);
    case resultCode.ioerr:
      return sqliteUnusableError(
        path,
        `reading or writing failed (${error.message}); check the disk`,
        options,
      );
  }
  return isFileSystemError(error)
    ? sqliteUnusableError(path, describeFileSystemError(error), options)
    : error;
}

/**
 * Returns the primary code, which is the low byte of an extended code. If opening the database failed, the
 * message contains the code.
 */
function getPrimaryCode(error: Error & { rawCode?: number }): number | undefined {
  if (error.rawCode === resultCode.ioerrShmsize) return resultCode.full;
  if (typeof error.rawCode === "number") return error.rawCode & 0xff;
  const opening = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message);
  return opening ? Number(opening[1]) & 0xff : undefined;
}

function isFileSystemError(
  error: Error & { code?: unknown; syscall?: unknown },
): error is NodeJS.ErrnoException {
  return typeof error.code === "string" && typeof error.syscall === "string";
}

function describeFileSystemError({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EACCES" || code === "EPERM") return "this user may not write there";
  if (code === "EROFS") return "it is on a read-only file system";
  if (code === "ENOSPC") return "the disk is full; make room, and run this again";
  return message;
}
