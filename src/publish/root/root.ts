import type { Manifest } from "../../mart/manifest.ts";
import type { Storage } from "../../storage/storage.ts";

/**
 * A folder or S3 prefix with a folder per version, and a pointer to the version that readers see. Nobody writes
 * into the folder of a version that readers have seen.
 */
export interface Root {
  readonly storage: Storage;

  /** Key of the catalog, which describes the tables of the version that readers see. */
  readonly catalogKey: string;

  findPointer(): Promise<Pointer | undefined>;

  /**
   * Points readers at a version, unless the pointer has changed since it was read as `before`.
   * @throws {StorageConflictError} if it has
   */
  movePointer(next: RootVersion, before: Pointer | undefined): Promise<void>;

  writeCatalog(version: RootVersion): Promise<void>;
}

/** A version in a root. */
export interface RootVersion {
  /** Name of its folder, e.g. `v000007` or `v000007-1a2b3c4d`. */
  folder: string;
  manifest: Manifest;
}

export interface Pointer {
  /** Differs after each publish. */
  state: string;
  /** When readers could first see the version, by the store's clock. */
  shownAt: Date;
  /** Folder of the version that readers see; `undefined` if the pointer is damaged. */
  folder: string | undefined;
  /** Who published the version and when, for messages. */
  publisher: string;
}
