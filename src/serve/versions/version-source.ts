import type { OpenedVersion } from "../../report/published/open-published.ts";

/** Source of the versions that pages show: a published folder, or a cluster. */
export interface VersionSource {
  /** Returns the current version. @throws if there is none yet */
  findCurrent(): Promise<string>;
  /** Returns true if a version can still be read. */
  isKept(version: string): Promise<boolean>;
  /** Distinguishes versions with the same name: a restored data folder reuses numbers after its version. */
  stampOf(version: string): Promise<string>;
  /** Opens a version for several readers at the same time. @throws {VersionUnknownError} */
  open(version: string, readers: number): Promise<OpenedVersion>;
}
