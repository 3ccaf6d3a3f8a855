import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { assertConditional } from "../storage/assert-conditional.ts";
import { StorageConflictError } from "../storage/errors.ts";
import type { Storage } from "../storage/storage.ts";
import { sha256Of } from "../util/files/file-content.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { checkpointWarehouse, describeBackup, listSources } from "./back-up.ts";
import { type BackupFile, type BackupManifest, backupManifestName } from "./backup-manifest.ts";
import { backupFolderError } from "./errors.ts";

/** Marker object that reserves a prefix while a backup is written there. */
const claimKey = "backup.unfinished";

interface BackUpToStoreOptions {
  /** A prefix without objects. */
  storage: Storage;
  withSecret: boolean;
}

/**
 * Backs up like `backUp`, but into a store. The manifest is written last, so an incomplete backup is never
 * mistaken for a complete one. The caller holds the run lock.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the prefix already contains objects
 * @throws {FileChangedError} when another program writes to the data folder meanwhile
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUpToStore(
  workspace: Workspace,
  { storage, withSecret }: BackUpToStoreOptions,
): Promise<BackupManifest> {
  await claim(storage);
  const temp = mkdtempSync(join(workspace.folder.temp, "backup-"));
  const files: BackupFile[] = [];
  try {
    const plays = await checkpointWarehouse(workspace);
    const sources = listSources(workspace, { stateCopy: join(temp, "state.db"), withSecret });
    for (const { path, from } of sources) {
      workspace.signal?.throwIfAborted();
      workspace.progress.show(`Uploading ${path}`);
      const file = { path, bytes: statSync(from).size, sha256: await sha256Of(from, workspace.signal) };
      files.push(file);
      await storage.putFile(path, from, file.sha256);
    }
    const manifest = describeBackup(workspace, plays, files);
    workspace.state.runs.assertLock();
    await storage.put(backupManifestName, `${JSON.stringify(manifest, null, 1)}\n`, { ifNoneMatch: "*" });
    await storage.delete([claimKey]);
    return manifest;
  } catch (error) {
    // If this fails too, the next backup lists the leftover objects.
    const keys = [backupManifestName, ...files.map(({ path }) => path), claimKey];
    await storage.delete(keys).catch(() => undefined);
    throw error;
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** Asserts that the prefix is unused, and reserves it for this process. */
async function claim(storage: Storage): Promise<void> {
  const { location } = storage;
  for await (const { key } of storage.list(""))
    throw backupFolderError(
      key === claimKey
        ? `${location} has a backup that another process is writing, or that was killed. Choose another prefix, or remove its objects.`
        : `${location} already has objects, such as ${key}. Choose a prefix without any.`,
    );
  await assertConditional(storage);
  try {
    await storage.put(claimKey, `${hostname()} ${new Date().toISOString()} ${randomUUID()}\n`, {
      ifNoneMatch: "*",
    });
  } catch (error) {
    if (!(error instanceof StorageConflictError)) throw error;
    throw backupFolderError(`Another process has begun a backup into ${location}. Choose another prefix.`);
  }
  // Another process may have completed a backup since the listing, or the listing may be out of date.
  if (!(await storage.findInfo(backupManifestName))) return;
  await storage.delete([claimKey]);
  throw backupFolderError(`${location} already has a backup. Choose another prefix.`);
}
