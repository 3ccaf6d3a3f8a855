import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { downloadFile } from "../storage/download-file.ts";
import type { Storage } from "../storage/storage.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import {
  backupDamagedError,
  backupManifestName,
  noBackupError,
  readBackupManifest,
} from "./backup-manifest.ts";
import { type Restored, type RestoreOptions, restore } from "./restore.ts";

/**
 * Restores like `restore`, but from a store. It first downloads the whole backup next to the data folder, so it
 * temporarily needs twice the space.
 * @throws {VenueError} `NO_BACKUP`, and everything that `restore` throws
 */
export async function restoreFromStore({
  storage,
  ...options
}: Omit<RestoreOptions, "from"> & { storage: Storage }): Promise<Restored> {
  const place = resolveLinks(options.to);
  makeFolder(dirname(place));
  // Only this user may read it, because it can contain a secret.
  const copy = mkdtempSync(`${place}.download-`);
  try {
    await downloadBackup(storage, copy, options.signal);
    return await restore({ ...options, from: copy });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function downloadBackup(storage: Storage, copy: string, signal: AbortSignal): Promise<void> {
  const found = await storage.find(backupManifestName);
  if (!found) throw noBackupError(storage.location);
  writeFileSync(join(copy, backupManifestName), found.content);
  for (const { path, bytes, sha256 } of readBackupManifest(copy).files) {
    signal.throwIfAborted();
    if (!(await downloadFile(storage, { key: path, bytes, sha256 }, join(copy, path))))
      throw backupDamagedError(storage.addressOf(path));
  }
}
