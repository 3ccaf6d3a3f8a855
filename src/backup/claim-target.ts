import { z } from "zod";
import { parseObject } from "../storage/parse-object.ts";
import { isS3Url } from "../storage/s3-url.ts";
import type { Storage } from "../storage/storage.ts";
import { type BackupManifest, backupManifest, backupManifestName } from "./backup-manifest.ts";
import { backupFolderError } from "./errors.ts";

/** File that reserves a target during a backup. It contains the backup's manifest and owner. */
const claimName = "backup.unfinished";
const claimForm = backupManifest.extend({ owner: z.string() });

/**
 * Reserves the target for a backup. The target may contain only files of a killed backup of the same owner, which
 * are removed unless they can be reused.
 * @param owner host and data folder; only one backup of a data folder runs at a time
 * @returns the paths of the files that are already complete
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE`
 */
export async function claimTarget(
  storage: Storage,
  owner: string,
  manifest: BackupManifest,
): Promise<Set<string>> {
  const killed = await findClaim(storage, owner);
  const hashes = new Map(killed?.files.map(({ path, sha256 }) => [path, sha256]));
  const wanted = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const complete = new Set<string>();
  const useless: string[] = [];
  for await (const { key } of storage.list("")) {
    if (key === claimName) continue;
    const sha256 = hashes.get(key);
    if (sha256 === undefined)
      throw backupFolderError(
        `${storage.location} is not empty: it contains ${key}. Choose a folder or prefix without files.`,
      );
    if (sha256 === wanted.get(key)) complete.add(key);
    else useless.push(key);
  }
  if (killed) for await (const upload of storage.listUploads()) await storage.abortUpload(upload);
  // Must precede the change of the claim, so that each file has the content listed in the claim.
  await storage.delete(useless);
  const content = JSON.stringify({ ...manifest, owner });
  if (killed) await storage.put(claimName, content);
  else await create(storage, claimName, content);
  // Another process may have completed a backup in the meantime.
  await assertIncomplete(storage);
  return complete;
}

async function findClaim(storage: Storage, owner: string): Promise<BackupManifest | undefined> {
  const found = await storage.find(claimName);
  if (!found) return undefined;
  const claim = parseObject(claimForm, found.content.toString());
  if (claim?.owner === owner) return claim;
  throw backupFolderError(
    `${storage.location} contains a backup that ${claim?.owner ?? "another version of venue-analytics"} is writing, or that was killed there. Choose another target, or remove its files.`,
  );
}

/** @throws {VenueError} `BACKUP_FOLDER_IN_USE` if the target has a complete backup */
export async function assertIncomplete(storage: Storage): Promise<void> {
  if (!(await storage.findInfo(backupManifestName))) return;
  await storage.delete([claimName]);
  throw backupFolderError(`${storage.location} already has a backup. Choose another target.`);
}

/** Makes a backup complete. @throws {VenueError} `BACKUP_FOLDER_IN_USE` if another owner has claimed the target */
export async function completeBackup(
  storage: Storage,
  owner: string,
  manifest: BackupManifest,
): Promise<void> {
  await findClaim(storage, owner);
  await create(storage, backupManifestName, `${JSON.stringify(manifest, null, 1)}\n`);
  await storage.delete([claimName]);
}

/** Removes the files of an incomplete backup, and its claim last. */
export async function removeUnfinished(
  storage: Storage,
  owner: string,
  { files }: BackupManifest,
): Promise<void> {
  const isComplete = await storage.findInfo(backupManifestName);
  if (isComplete || !(await findClaim(storage, owner))) return;
  await storage.delete(files.map(({ path }) => path));
  await storage.delete([claimName]);
}

/** In a folder, only the preceding check prevents overwriting, because not all backup disks support hard links. */
async function create(storage: Storage, name: string, content: string): Promise<void> {
  await storage.put(name, content, isS3Url(storage.location) ? { ifNoneMatch: "*" } : undefined);
}
