import type { OpenedVersion } from "../../report/published/open-published.ts";

/** Where the versions that pages show come from: a published folder, or a cluster. */
export interface VersionSource {
  /** The version that is current now. @throws when there is none yet */
  findCurrent(): Promise<string>;
  /** Whether a version can be read: it was there once. */
  isKept(version: string): Promise<boolean>;
  /** What tells a version from another one of its name: a data folder that is restored counts on from an older one. */
  stampOf(version: string): Promise<string>;
  /** Opens a version for several readers at the same time. @throws {VersionUnknownError} */
  open(version: string, readers: number): Promise<OpenedVersion>;
}
