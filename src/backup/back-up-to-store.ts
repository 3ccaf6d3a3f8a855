import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { assertConditional, probeForm } from "../storage/assert-conditional.ts";
import { StorageConflictError } from "../storage/errors.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { sha256Of } from "../util/files/file-content.ts";
import type { VenueError } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { checkpointWarehouse, describeBackup, listSources } from "./back-up.ts";
import { type BackupFile, type BackupManifest, backupManifestName } from "./backup-manifest.ts";
import { backupFolderError } from "./errors.ts";

/** Marker object that reserves a prefix while a backup is written there. */
const claimKey = "backup.unfinished";

interface BackUpToStoreOptions {
  /** `s3://` URL of a prefix without objects, except those of a killed backup of this data folder. */
  to: string;
  withSecret: boolean;
  /** Refuses a store that is reached without encryption. */
  mustEncrypt: boolean;
}

/**
 * Backs up like `backUp`, but into a store. The manifest is written last, so an incomplete backup is never
 * mistaken for a complete one. The caller holds the run lock.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the prefix already contains other objects
 * @throws {FileChangedError} when another program writes to the data folder meanwhile
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUpToStore(
  workspace: Workspace,
  { to, withSecret, mustEncrypt }: BackUpToStoreOptions,
): Promise<BackupManifest> {
  const { folder, state, progress, signal } = workspace;
  const storage = await openStorage(to, { signal, mustEncrypt });
  const temp = mkdtempSync(join(folder.temp, "backup-"));
  try {
    const plays = await checkpointWarehouse(workspace);
    const sources = listSources(workspace, { stateCopy: join(temp, "state.db"), withSecret });
    const claim = await claimPrefix(storage, {
      owner: `${hostname()}:${folder.root}`,
      keys: sources.map(({ path }) => path),
    });
    try {
      const files: BackupFile[] = [];
      for (const { path, from } of sources) {
        signal.throwIfAborted();
        progress.show(`Uploading ${path}`);
        const file = { path, bytes: statSync(from).size, sha256: await sha256Of(from, signal) };
        files.push(file);
        await storage.putFile(path, from, file.sha256);
      }
      const manifest = describeBackup(workspace, plays, files);
      state.runs.assertLock();
      if (!(await isClaimed(storage, claim))) throw otherBackupError(to);
      await storage.put(backupManifestName, `${JSON.stringify(manifest, null, 1)}\n`, { ifNoneMatch: "*" });
      await storage.delete([claimKey]);
      return manifest;
    } catch (error) {
      // Without the signal, which would end these requests, too. The next backup removes what they leave.
      await removeUnfinished(await openStorage(to), claim).catch(() => undefined);
      throw error;
    }
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** Content of the marker object. */
interface Claim {
  /** Host and data folder. Only one backup of a data folder runs at a time, so an older claim of it was left behind. */
  owner: string;
  /** Objects that the backup writes before its manifest. */
  keys: readonly string[];
  /** Makes the content unique. */
  id: string;
}

/** Asserts that the prefix is unused, and reserves it for this process. Removes what a killed backup left there. */
async function claimPrefix(storage: Storage, { owner, keys }: Omit<Claim, "id">): Promise<Claim> {
  const { location } = storage;
  const found = await storage.find(claimKey);
  const left = found && parseClaim(found.content.toString());
  if (left && left.owner !== owner)
    throw backupFolderError(
      `${location} has a backup that ${left.owner} is writing, or that was killed there. Choose another prefix, or remove its objects.`,
    );
  const leftKeys = new Set(left?.keys);
  for await (const { key } of storage.list(""))
    if (key !== claimKey && !leftKeys.has(key) && !probeForm.test(key))
      throw backupFolderError(
        `${location} already has objects, such as ${key}. Choose a prefix without any.`,
      );
  await assertConditional(storage);
  const claim: Claim = { owner, keys: [...new Set([...leftKeys, ...keys])], id: randomUUID() };
  try {
    const condition = found ? { ifMatch: found.version } : ({ ifNoneMatch: "*" } as const);
    await storage.put(claimKey, JSON.stringify(claim), condition);
  } catch (error) {
    if (error instanceof StorageConflictError) throw otherBackupError(location);
    throw error;
  }
  // Another process may have completed a backup since the listing, or the listing may be out of date.
  if (await storage.findInfo(backupManifestName)) {
    await storage.delete([claimKey]);
    throw backupFolderError(`${location} already has a backup. Choose another prefix.`);
  }
  if (left)
    for await (const upload of storage.listUploads())
      if (leftKeys.has(upload.key)) await storage.abortUpload(upload);
  await storage.delete([...leftKeys]);
  return claim;
}

async function isClaimed(storage: Storage, { id }: Claim): Promise<boolean> {
  const found = await storage.find(claimKey);
  return found !== undefined && parseClaim(found.content.toString()).id === id;
}

/** Removes what a backup has written, and its claim last. */
async function removeUnfinished(storage: Storage, claim: Claim): Promise<void> {
  if (!(await isClaimed(storage, claim))) return;
  await storage.delete([backupManifestName]);
  await storage.delete(claim.keys);
  await storage.delete([claimKey]);
}

/** Parses a claim. Earlier versions wrote one line of text. */
function parseClaim(text: string): Claim {
  try {
    return JSON.parse(text);
  } catch {
    return { owner: text.trim(), keys: [], id: "" };
  }
}

function otherBackupError(location: string): VenueError {
  return backupFolderError(`Another process has begun a backup into ${location}. Choose another prefix.`);
}
