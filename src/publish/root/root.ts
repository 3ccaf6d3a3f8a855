import type { Manifest } from "../../mart/manifest.ts";
import type { Storage } from "../../storage/storage.ts";

/**
 * A folder or S3 prefix with a folder per version, and a pointer to the version that readers see. Once readers have
 * seen a version, nothing is written into its folder.
 */
export interface Root {
  readonly storage: Storage;

  /** Key of the catalog, which describes the tables of the version that readers see. */
  readonly catalogKey: string;

  findPointer(): Promise<Pointer | undefined>;

  /**
   * Points readers at a version, unless the pointer has changed since it was read as `before`.
   * @throws {StorageConflictError} if the pointer has changed
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
  /** Changes with each publish. */
  state: string;
  /** Time at which readers could first see the version, by the store's clock. */
  shownAt: Date;
  /** Folder of the version that readers see; `undefined` if the pointer is damaged. */
  folder: string | undefined;
  /** Publisher of the version and time of the publish, for messages. */
  publisher: string;
}
