import { type CoreManifest, isCoreManifest } from "../../mart/core-manifest.ts";
import type { Storage } from "../../storage/storage.ts";
import { VenueError } from "../../util/venue-error.ts";
import { publishTargetDamagedError } from "../errors.ts";
import { openRoot } from "../root/open-root.ts";
import { findManifestOf } from "../root/stored-version.ts";

/** A version of `core` in a folder or store. */
export interface CoreInRoot {
  /** Name of its folder. */
  folder: string;
  manifest: CoreManifest;
}

/**
 * Finds the version of `core` that is published in a folder or store.
 * @throws {VenueError} `CORE_MISSING` if nothing or something else is published there
 * @throws {VenueError} `PUBLISH_TARGET_DAMAGED`
 */
export async function readCoreVersion(storage: Storage): Promise<CoreInRoot> {
  const root = await openRoot(storage);
  const pointer = await root.findPointer();
  if (!pointer) throw coreMissingError(storage.location, "Nothing");
  const { folder } = pointer;
  const manifest = folder === undefined ? undefined : await findManifestOf(root, folder);
  if (folder === undefined || !manifest)
    throw publishTargetDamagedError(storage.location, "the current version has no readable manifest");
  if (!isCoreManifest(manifest)) throw coreMissingError(storage.location, "The mart, not core,");
  return { folder, manifest };
}

function coreMissingError(location: string, finding: string): VenueError {
  return new VenueError(
    "CORE_MISSING",
    "usage",
    `${finding} is published in ${location}. Run \`venue publish --layer core --to STORE\` on the machine that loads, and specify the same place.`,
  );
}
