import { StorageConflictError } from "../../storage/errors.ts";
import { forEachAtOnce } from "../../util/for-each-at-once.ts";
import { publishOvertakenError } from "../errors.ts";
import { deleteEarlierObjects, isEarlierFolder, isEarlierKey } from "./earlier-layout.ts";
import { abandonedMs } from "./retention.ts";
import type { Pointer, Root, RootVersion } from "./root.ts";
import { findManifestOf, versionFolderOf } from "./stored-version.ts";

/**
 * Shows a version, whose files are complete, to readers at once. Then runs `afterwards`, writes the catalog and
 * sweeps old versions.
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
    if (winner?.folder !== next.folder)
      throw publishOvertakenError(root.storage.location, next.manifest.version, winner?.publisher);
  }
  await afterwards();
  await finishReveal(root);
}

/** Writes the catalog again if another version is shown meanwhile, so that it describes the one that remains. */
export async function finishReveal(root: Root): Promise<void> {
  for (;;) {
    const shown = await root.findPointer();
    if (shown?.folder === undefined) return;
    const manifest = await findManifestOf(root, shown.folder);
    if (manifest) await root.writeCatalog({ folder: shown.folder, manifest });
    if ((await root.findPointer())?.state !== shown.state) continue;
    return await sweepVersions(root, shown);
  }
}

/**
 * Deletes replaced versions that no reader can still be using, and what killed publishes left. Ages are measured by
 * the store's clock.
 */
async function sweepVersions(root: Root, shown: Pointer): Promise<void> {
  const { storage } = root;
  const { kept, expired } = await root.listReplaced(shown);
  const named = new Set([shown.folder, ...kept]);
  const isAbandoned = (since: Date) => shown.shownAt.getTime() - since.getTime() > abandonedMs;
  const newest = new Map<string, Date>();
  let hasEarlier = false;
  for await (const { key, modifiedAt } of storage.list("v")) {
    hasEarlier ||= isEarlierKey(key);
    const folder = versionFolderOf(key);
    if (folder !== undefined && modifiedAt > (newest.get(folder) ?? new Date(0)))
      newest.set(folder, modifiedAt);
  }
  const unused = [...newest].filter(
    ([folder, at]) => !named.has(folder) && (expired.includes(folder) || isAbandoned(at)),
  );
  await forEachAtOnce(unused, 1, async ([folder]) => await storage.deleteFolder(folder));
  if (hasEarlier && ![...named].some((folder) => isEarlierFolder(folder ?? "")))
    await deleteEarlierObjects(storage);
  for await (const upload of storage.listUploads())
    if (isAbandoned(upload.startedAt) && isOwnUpload(upload.key)) await storage.abortUpload(upload);
}

function isOwnUpload(key: string): boolean {
  return versionFolderOf(key) !== undefined || isEarlierKey(key) || !key.includes("/");
}
