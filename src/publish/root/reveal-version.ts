import { StorageConflictError } from "../../storage/errors.ts";
import { publishOvertakenError } from "../errors.ts";
import { deleteOldVersions } from "./delete-old-versions.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";
import { findManifestOf } from "./stored-version.ts";

/**
 * Shows a version, whose files are complete, to readers at once. Then runs `afterwards`, writes the catalog and
 * deletes old versions.
 * @param before the pointer as read before anything was written
 * @throws {VenueError} `PUBLISH_OVERTAKEN` if another publish was faster
 */
export async function revealVersion(
  root: Root,
  next: RootVersion,
  before: Pointer | undefined,
  afterwards: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await root.movePointer(next, before);
  } catch (error) {
    if (!(error instanceof StorageConflictError)) throw error;
    const winner = await root.findPointer();
    if (winner?.folder !== next.folder) {
      await root.storage.deleteFolder(next.folder);
      throw publishOvertakenError(root.storage.location, next.manifest.version, winner?.publisher);
    }
  }
  await afterwards();
  await finishReveal(root);
}

/** Rewrites the catalog if another version is published in the meantime, so that it describes that version. */
export async function finishReveal(root: Root): Promise<void> {
  for (;;) {
    const shown = await root.findPointer();
    if (shown?.folder === undefined) return;
    const manifest = await findManifestOf(root, shown.folder);
    if (manifest) await root.writeCatalog({ folder: shown.folder, manifest });
    if ((await root.findPointer())?.state === shown.state) return await deleteOldVersions(root, shown);
  }
}

/** Returns true if a publish was killed before it wrote the current version's catalog. */
export async function lacksCatalog({ storage, catalogKey }: Root, { shownAt }: Pointer): Promise<boolean> {
  const catalog = await storage.findInfo(catalogKey);
  return catalog === undefined || catalog.modifiedAt < shownAt;
}
