import type { OpenedVersion } from "../../report/published/open-published.ts";

/** Where the versions that pages show come from: a published folder, or a cluster. */
export interface VersionSource {
  /** Returns the version that is current now. @throws when there is none yet */
  findCurrent(): Promise<string>;
  /** Whether a version that was there once can still be read. */
  isKept(version: string): Promise<boolean>;
  /** Distinguishes versions of the same name: a restored data folder counts on from an older version. */
  stampOf(version: string): Promise<string>;
  /** Opens a version for several readers at the same time. @throws {VersionUnknownError} */
  open(version: string, readers: number): Promise<OpenedVersion>;
}
