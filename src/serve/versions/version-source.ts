import type { OpenedVersion } from "../../report/published/open-published.ts";

/** Where the versions that pages show come from: a published folder, or a cluster. */
export interface VersionSource {
  /** The version that is current now. @throws when there is none yet */
  findCurrent(): Promise<string>;
  /** Whether a version can be read: it was there once. */
  isKept(version: string): Promise<boolean>;
  /** Opens a version for several readers at the same time. @throws {VersionUnknownError} */
  open(version: string, readers: number): Promise<OpenedVersion>;
}
