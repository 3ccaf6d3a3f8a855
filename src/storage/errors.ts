import { VenueError } from "../util/venue-error.ts";

/** The condition of a write was not met, because another process has written the object. */
export class StorageConflictError extends VenueError {
  /** @param address of the object */
  constructor(address: string) {
    super(
      "STORAGE_CONFLICT",
      "busy",
      `${address} was changed by another process at the same time. Nothing was overwritten. Run this again.`,
    );
  }
}

/** The store failed or could not be reached, so a write may or may not have been applied. */
export class StorageUnavailableError extends VenueError {
  constructor(message: string) {
    super("STORAGE_UNAVAILABLE", "service", message);
  }
}

/** A file's content differs from its recorded checksum. */
export class FileChangedError extends VenueError {
  readonly file: string;

  constructor(file: string) {
    super(
      "FILE_CHANGED",
      "damage",
      `${file} has changed since its checksum was recorded. Run this again once nothing else writes to it.`,
    );
    this.file = file;
  }
}

/** @param reason completes the sentence, and includes the next step */
export function storageUnusableError(action: string, reason: string): VenueError {
  return new VenueError("STORAGE_UNUSABLE", "usage", `Can't ${action}: ${reason}`);
}

/** @param endpoint the store's scheme, host and port */
export function storageUnencryptedError(location: string, endpoint: string): VenueError {
  return storageUnusableError(
    `store a secret in ${location}`,
    `${endpoint} is not encrypted, so it could be read on the network. Set AWS_ENDPOINT_URL_S3 to an https URL, leave the secret out, or set VENUE_ALLOW_HTTP=1 if you trust the network.`,
  );
}

/** The store overwrites objects even if a condition forbids this. */
export function conditionsIgnoredError(location: string): VenueError {
  return new VenueError(
    "STORAGE_CONDITIONS_IGNORED",
    "usage",
    `The store of ${location} ignores conditional requests (If-None-Match, If-Match), so two writers would overwrite each other. Use a store that honours them, or a newer version of it.`,
  );
}
