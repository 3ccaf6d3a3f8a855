import { existsSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { customFolderOf } from "../config/data-folder.ts";
import { findProofKey } from "../config/proof-key.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { openStorage } from "../storage/open-storage.ts";
import { isS3Url } from "../storage/s3-url.ts";
import { syncFolders } from "../util/files/durable-files.ts";
import { sha256Of } from "../util/files/file-content.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { softwareCommit, softwareVersion } from "../util/files/package-files.ts";
import { identifyKey } from "../util/signed-text.ts";
import { assertWarehouseNotLost } from "../workspace/lost-warehouse.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { assertOutside, makePrivateFolder, removeEmptyFolders } from "./backup-folder.ts";
import { type BackupManifest, backupFormat } from "./backup-manifest.ts";
import { assertIncomplete, claimTarget, completeBackup, removeUnfinished } from "./claim-target.ts";
import { listSources } from "./list-sources.ts";

export interface BackUpOptions {
  /** Absolute path of a folder that does not exist or is empty, or `s3://` URL of a prefix without objects. */
  to: string;
  withSecret: boolean;
  /** True to refuse a bucket whose endpoint is not encrypted. */
  mustEncrypt: boolean;
}

/**
 * Copies the published version, and data that cannot be collected or computed again. The caller holds the run lock,
 * so nothing changes during the backup. The manifest is written last, so an incomplete backup never looks complete.
 * Continues a killed backup of the same data folder to this target.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the target has other files
 * @throws {FileChangedError} when another program writes to the data folder during the backup
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUp(
  workspace: Workspace,
  { to: named, withSecret, mustEncrypt }: BackUpOptions,
): Promise<BackupManifest> {
  const { folder, settings, state, progress, signal } = workspace;
  const isFolder = !isS3Url(named);
  const to = isFolder ? resolveLinks(named) : named;
  if (isFolder) assertOutside([named, to], [folder.root, customFolderOf(settings)]);
  const storage = await openStorage(to, { signal, mustEncrypt });
  const owner = `${hostname()}:${folder.root}`;
  await assertIncomplete(storage);
  const plays = await checkpointWarehouse(workspace);
  const temp = join(folder.temp, "backup");
  rmSync(temp, { recursive: true, force: true });
  makeFolder(temp);
  try {
    const sources = listSources(workspace, { stateCopy: join(temp, "state.db"), withSecret });
    const manifest = await describeBackup(workspace, plays, sources);
    if (isFolder) makePrivateFolder(to);
    const complete = await claimTarget(storage, owner, manifest);
    try {
      for (const { path, sha256 } of manifest.files) {
        if (complete.has(path)) continue;
        state.runs.assertLock();
        progress.show(`Copying ${path}`);
        await storage.putFile(path, sources.get(path) ?? "", sha256);
      }
      if (isFolder) syncFolders(to);
      state.runs.assertLock();
      await completeBackup(storage, owner, manifest);
      return manifest;
    } catch (error) {
      await cleanUp(workspace, to, { owner, manifest }).catch(() => undefined);
      throw error;
    }
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** Describes the backup, including its files' checksums, before it is written. */
async function describeBackup(
  { folder, progress, signal }: Workspace,
  plays: number,
  sources: ReadonlyMap<string, string>,
): Promise<BackupManifest> {
  const proofKey = findProofKey(folder.proofKey);
  const files: BackupManifest["files"] = [];
  for (const [path, from] of sources) {
    progress.show(`Reading ${path}`);
    files.push({ path, bytes: statSync(from).size, sha256: await sha256Of(from, signal) });
  }
  return {
    format: backupFormat,
    made_at: new Date().toISOString(),
    software_version: softwareVersion(),
    software_commit: softwareCommit(),
    published_version: findCurrentVersion(folder.published) ?? null,
    plays,
    proof_key: proofKey ? identifyKey(proofKey) : null,
    files,
  };
}

/** Removes the files of a failed backup. If this fails too, the next backup continues from the remaining files. */
async function cleanUp(
  { state }: Workspace,
  to: string,
  { owner, manifest }: { owner: string; manifest: BackupManifest },
): Promise<void> {
  // If the lock is lost, another process may be continuing this backup.
  state.runs.assertLock();
  // The signal is not passed, because an abort would cancel these requests too.
  await removeUnfinished(await openStorage(to), owner, manifest);
  if (!isS3Url(to)) removeEmptyFolders(to);
}

/**
 * Merges the write-ahead log into the warehouse file, so that only this file needs to be copied.
 * @returns the number of plays in the warehouse; 0 if no warehouse exists yet
 * @throws {VenueError} `WAREHOUSE_LOST` if the warehouse is lost, because a backup without it would look
 * complete
 */
async function checkpointWarehouse(workspace: Workspace): Promise<number> {
  const { folder } = workspace;
  if (!existsSync(folder.warehouseFile)) {
    await assertWarehouseNotLost(undefined, folder);
    return 0;
  }
  return await withWarehouse(workspace, async (warehouse) => {
    await assertWarehouseNotLost(warehouse, folder);
    await warehouse.run("checkpoint");
    const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
    return plays;
  });
}
