import { join } from "node:path";
import { findManifest } from "./manifest.ts";
import { findCurrentVersion } from "./published-versions.ts";

/** The version that readers see, if anything was loaded when it was built. */
export function findLoadedVersion(publishedFolder: string): string | undefined {
  const version = findCurrentVersion(publishedFolder);
  const asOf = version === undefined ? null : findManifest(join(publishedFolder, version))?.data_as_of;
  return asOf == null ? undefined : version;
}
