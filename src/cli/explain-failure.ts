import { VenueError } from "../util/venue-error.ts";

/**
 * Failures of disks and folders reach us from Node, SQLite and DuckDB in forms of their own, from any statement.
 * Here, and only here, they become errors that a person can act on; anything else is answered unchanged.
 */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof VenueError) return error;
  const text = `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}`;
  const known = storageFailures.find(({ pattern }) => pattern.test(text));
  return known ? new StorageError(known.advice, known.category, error) : error;
}

interface StorageFailure {
  pattern: RegExp;
  category: "usage" | "damage";
  advice: string;
}

const storageFailures: StorageFailure[] = [
  {
    pattern:
      /ENOSPC|EDQUOT|No space left|SQLITE_FULL|disk is full|Disk quota exceeded|max_temp_directory_size/i,
    category: "usage",
    advice:
      "The disk is full. Make room, or set VENUE_DATA_DIR to a folder on another disk, and run this again",
  },
  {
    pattern:
      /EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|Permission denied|Read-only file system|attempt to write a readonly/i,
    category: "usage",
    advice:
      "A file or folder can't be written. Check its owner and mode, or set VENUE_DATA_DIR to another folder",
  },
  {
    pattern:
      /SQLITE_CORRUPT|SQLITE_NOTADB|disk image is malformed|not a database|checksum|Corrupt database|database has been invalidated|Could not read enough bytes|deserialize/i,
    category: "damage",
    advice:
      "A database of ours is damaged. Move it away and run `venue sync`: exports hold the whole history",
  },
  {
    pattern: /Out of Memory Error|failed to (allocate|pin)|could not allocate/i,
    category: "usage",
    advice: "DuckDB was given too little memory. Raise VENUE_MEMORY_LIMIT and run this again",
  },
];

/** A disk, folder or database file can't be used. */
class StorageError extends VenueError {
  override readonly name = "StorageError";
  readonly code = "STORAGE";
  readonly category: "usage" | "damage";

  constructor(advice: string, category: "usage" | "damage", cause: Error) {
    super(`${advice}. (${firstLine(cause.message)})`, { cause });
    this.category = category;
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
