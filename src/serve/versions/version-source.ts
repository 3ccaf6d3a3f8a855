import type { OpenedVersion } from "../../report/published/open-published.ts";
import type { ShareFilter } from "../../state/data/shares.ts";

/** Source of the versions that pages show: a published folder, or a cluster. */
export interface VersionSource {
  /** @throws before the first version is published */
  findCurrent(): Promise<string>;
  /** Returns true if a version can still be read. */
  isKept(version: string): Promise<boolean>;
  /**
   * Returns a stamp that distinguishes versions with the same name: a restored data folder reuses version
   * numbers.
   */
  getStamp(version: string): Promise<string>;
  /** Opens a version for several readers at the same time. @throws {UnknownVersionError} */
  open(version: string, readers: number): Promise<OpenedVersion>;
}

export interface VersionSources {
  source: VersionSource;
  /** Returns a source of versions that contain only a customer's rows; absent for a cluster. */
  ofShare?: (share: ShareFilter) => VersionSource;
  close(): void;
}
