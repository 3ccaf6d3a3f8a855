import { manifestName } from "../../mart/manifest.ts";
import { versionFolderForm } from "../../mart/published-versions.ts";
import { abandonedMs, type Storage } from "../../storage/storage.ts";
import type { Pointer, Root } from "./root.ts";

/** Grace period in which readers may still use a version that was replaced, in milliseconds. */
const retentionMs = 10 * 60_000;

/** Number of replaced versions that are kept regardless of age. With the current version, three are kept. */
const keptVersions = 2;

interface StoredVersion {
  /** Its folder; `versions` stands for all objects of version 0.2. */
  folder: string;
  /** Time at which its manifest was written; `undefined` if the version is incomplete. */
  completeAt?: Date;
  /** Time of the last write into the folder. */
  newestAt: Date;
}

/**
 * Deletes replaced versions that no reader can still be using, and leftovers of killed publishes. Ages are measured by
 * the store's clock.
 * @param shown the pointer as read before the files were listed
 */
export async function deleteOldVersions({ storage }: Root, shown: Pointer): Promise<void> {
  const versions = await listStored(storage);
  const replaced = versions
    .filter(({ folder, completeAt }) => completeAt && folder !== shown.folder)
    .sort((a, b) => (b.completeAt?.getTime() ?? 0) - (a.completeAt?.getTime() ?? 0));
  const ageMs = (at: Date | undefined) => shown.shownAt.getTime() - (at ?? shown.shownAt).getTime();
  for (const [index, { folder }] of replaced.entries()) {
    // This version had already been replaced when the second version after it was written.
    const second = replaced[index - keptVersions];
    if (second && ageMs(second.completeAt) > retentionMs) await deleteVersion(storage, folder);
  }
  for (const { folder, completeAt, newestAt } of versions)
    if (!completeAt && folder !== shown.folder && ageMs(newestAt) > abandonedMs)
      await deleteVersion(storage, folder);
  for await (const { key, id, startedAt } of storage.listUploads("v"))
    if (ageMs(startedAt) > abandonedMs && (storedFolderOf(key) !== undefined || !key.includes("/")))
      await storage.abortUpload({ key, id, startedAt });
}

async function listStored(storage: Storage): Promise<StoredVersion[]> {
  const versions = new Map<string, StoredVersion>();
  for await (const { key, modifiedAt } of storage.list("v")) {
    const folder = storedFolderOf(key);
    if (folder === undefined) continue;
    const version = versions.get(folder) ?? { folder, newestAt: modifiedAt };
    versions.set(folder, version);
    if (modifiedAt > version.newestAt) version.newestAt = modifiedAt;
    if (key.endsWith(`/${manifestName}`)) version.completeAt = modifiedAt;
  }
  return [...versions.values()];
}

function storedFolderOf(key: string): string | undefined {
  const [folder = "", ...path] = key.split("/");
  if (path.length > 0 && versionFolderForm.test(folder)) return folder;
  return earlierForm.test(key) ? earlierFolder : undefined;
}

/**
 * Version 0.2 stored a version's files in S3 as `files/TABLE/SHA256-ID.parquet` and `versions/VERSION-ID/…`, and listed
 * them in `files.json`.
 */
const earlierForm =
  /^files\/\w+\/[0-9a-f]{64}-[0-9a-f]{8}\.parquet$|^versions\/v\d+-[0-9a-f]{8}\/[a-z]+\.(json|html)$/;
const earlierFolder = "versions";

async function deleteVersion(storage: Storage, folder: string): Promise<void> {
  if (folder !== earlierFolder) return await storage.deleteFolder(folder);
  // Objects in `versions/` are deleted last, because they show that others remain.
  for (const prefix of ["files/", "versions/"]) {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) if (earlierForm.test(key)) keys.push(key);
    await storage.delete(keys);
  }
  await storage.delete(["files.json", "dictionary.json", "dictionary.html"]);
  for await (const upload of storage.listUploads("files/"))
    if (earlierForm.test(upload.key)) await storage.abortUpload(upload);
}
