/**
 * Objects under one prefix, in a folder or an S3 store. Keys are relative, with `/` between their parts. When a method
 * resolves, its effect is durable.
 */
export interface Storage {
  /** The folder or `s3://` URL, for messages. */
  readonly location: string;

  /** Returns an object's path or `s3://` URL. */
  addressOf(key: string): string;

  /**
   * Writes a small object atomically: readers get the old or the new content. The store verifies its SHA-256.
   *
   * With a condition, writers never overwrite each other unnoticed. An object that already has this content is treated
   * as written, because the response to an earlier attempt may have been lost. If several writers compete for an
   * object, its content must therefore identify the writer.
   * @returns the object's new version
   * @throws {StorageConflictError} if the condition does not hold
   */
  put(key: string, content: string | Uint8Array, condition?: Condition): Promise<string>;

  /**
   * Writes a file of any size atomically.
   * @param sha256 of the file, in hexadecimal
   * @throws {FileChangedError} if the file has another checksum; nothing is then written
   */
  putFile(key: string, file: string, sha256: string): Promise<void>;

  /**
   * Copies an object of any size without transferring it: in a folder with a hard link, if possible; in S3 on the
   * server.
   * @param content expected content of the source and the copy
   * @returns false if the source is missing
   */
  copy(from: string, to: string, content: ObjectContent): Promise<boolean>;

  /** Reads a small object. */
  find(key: string): Promise<FoundObject | undefined>;

  /** Reads a part of an object of any size. Returns fewer bytes at the end of the object. */
  findRange(key: string, range: ByteRange): Promise<Buffer | undefined>;

  findInfo(key: string): Promise<ObjectInfo | undefined>;

  /** Lists objects whose keys begin with the prefix, ordered by key. */
  list(prefix: string): AsyncIterable<ObjectInfo>;

  /** Deletes objects; missing ones are ignored. */
  delete(keys: readonly string[]): Promise<void>;

  /** Deletes all objects in a folder, and the folder. */
  deleteFolder(folder: string): Promise<void>;

  /** Lists unfinished uploads, most of which are abandoned. Includes at least all keys that begin with the prefix. */
  listUploads(prefix?: string): AsyncIterable<UnfinishedUpload>;

  abortUpload(upload: UnfinishedUpload): Promise<void>;
}

export interface ObjectContent {
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Age at which unfinished objects and uploads are treated as abandoned by a killed process, in milliseconds. */
export const abandonedMs = 24 * 3_600_000;

/** Condition of a write: the object is missing, or still has this version. */
export type Condition = { ifNoneMatch: "*" } | { ifMatch: string };

export interface FoundObject {
  content: Buffer;
  /** Differs for different content. */
  version: string;
  /** By the store's clock. */
  modifiedAt: Date;
}

export interface ByteRange {
  start: number;
  bytes: number;
}

export interface ObjectInfo {
  key: string;
  bytes: number;
  /** By the store's clock. */
  modifiedAt: Date;
}

export interface UnfinishedUpload {
  key: string;
  id: string;
  /** By the store's clock. */
  startedAt: Date;
}
