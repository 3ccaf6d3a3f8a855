import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { credentialsPath } from "../config/credentials-file.ts";
import { DataFolder } from "../config/data-folder.ts";
import { findManifest } from "../mart/manifest.ts";
import { writeCatalog } from "../publish/versions/catalog.ts";
import { openDataState } from "../state/data/data-state.ts";
import { syncFolders } from "../util/files/durable-files.ts";
import { linkTarget, makeFolder } from "../util/files/folders.ts";
import { BackupDamagedError, type BackupManifest, readBackupManifest } from "./backup-manifest.ts";
import { copyFile, isMisnamed } from "./copy-file.ts";
import { lockRuns, putAside, refuseUsed, takePlace, type Unlock } from "./data-folder-place.ts";
import { restoreSecret, secretName } from "./secret.ts";
import { clearUnfinished, endUnfinished, makeUnfinished, removeUnfinished } from "./unfinished-folder.ts";

export interface RestoreOptions {
  from: string;
  /** The data folder. */
  to: string;
  /** `VENUE_HOME`, for the secret, where the backup has it. */
  home: string;
  /** Puts what is at `to` aside. */
  replace: boolean;
  signal: AbortSignal;
}

export interface Restored {
  manifest: BackupManifest;
  /** Where the data folder that was there is now. */
  aside: string | undefined;
  /** What became of the secret, where the backup has one. */
  secret: "stored" | "left" | undefined;
  /** Whether files of the published version were damaged before the backup was made. */
  isPublishedDamaged: boolean;
}

/**
 * Makes the data folder what it was when the backup was made. It grows beside its place, each file compared with its
 * hash, and takes its place once it is whole and on disk. Meanwhile no run starts on the folder that is there. Where it
 * fails, that folder and `VENUE_HOME` are as they were.
 * @throws {BackupFolderError} when the data folder holds something, and is not to be replaced, or the backup would be lost
 * @throws {BackupFolderBusyError} when another restore fills it
 * @throws {BackupDamagedError} with nothing changed
 * @throws {RunLockedError} when a run works on the data folder that is there
 */
export async function restore({ from, to, home, replace, signal }: RestoreOptions): Promise<Restored> {
  const manifest = readBackupManifest(from);
  // A link in place of the data folder, perhaps to another disk, stays.
  const place = linkTarget(to);
  const unfinished = clearUnfinished(place, from);
  if (!replace) refuseUsed(to);
  const unlock = await lockRuns(place, signal);
  try {
    makeFolder(dirname(place));
    makeUnfinished(unfinished);
    try {
      await copyBack(manifest, from, unfinished, signal);
      const folder = new DataFolder(unfinished).prepare();
      if (manifest.published_version !== null)
        symlinkSync(manifest.published_version, join(folder.published, "current"));
      const isPublishedDamaged = !(await restoreCatalog(
        folder.published,
        new DataFolder(to).published,
        manifest,
      ));
      noteRun(folder.stateFile, `the backup of ${manifest.made_at}`);
      syncFolders(unfinished);
      const secret = await restoreSecret(manifest, from, home, signal);
      const aside = replaceFolder(unfinished, place, unlock, () => {
        if (secret === "stored") rmSync(credentialsPath(home), { force: true });
      });
      endUnfinished(place);
      return { manifest, aside, secret, isPublishedDamaged };
    } catch (error) {
      removeUnfinished(unfinished);
      throw error;
    }
  } finally {
    unlock({ status: "failed", exitCode: 1, note: "the restore failed: this folder was not replaced" });
  }
}

/**
 * The restored folder takes the place of the other one.
 * @param undo called where it can't
 * @returns where the other one is now
 */
function replaceFolder(
  restored: string,
  place: string,
  unlock: Unlock,
  undo: () => void,
): string | undefined {
  try {
    // Its database has to be closed before it moves.
    unlock({ status: "succeeded", exitCode: 0, note: "put aside for a restore" });
    const aside = putAside(place);
    takePlace(restored, place, aside);
    return aside;
  } catch (error) {
    undo();
    throw error;
  }
}

async function copyBack(
  { files }: BackupManifest,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    if (path === secretName) continue;
    const mode = path === "state.db" ? 0o600 : undefined;
    const copied = await copyFile(join(from, path), join(to, path), signal, mode).catch((cause) => {
      throw isMisnamed(cause) ? new BackupDamagedError(join(from, path), { cause }) : cause;
    });
    if (copied.bytes !== bytes || copied.sha256 !== sha256) throw new BackupDamagedError(join(from, path));
  }
}

/** For `venue runs`. */
function noteRun(stateFile: string, backup: string): void {
  const state = openDataState(stateFile);
  try {
    state.runs.begin("restore")({ status: "succeeded", exitCode: 0, note: `restored ${backup}` });
    // The library may close it only as the process ends.
    state.settle();
  } finally {
    state.close();
  }
}

/**
 * It names the folder that it lies in, so it is not in the backup.
 * @param place where `published` will lie
 * @returns whether what was published is whole: else there is no catalog
 */
async function restoreCatalog(
  published: string,
  place: string,
  { published_version: version, files }: BackupManifest,
): Promise<boolean> {
  if (version === null) return true;
  const manifest = findManifest(join(published, version));
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const tableFiles = Object.values(manifest?.tables ?? {}).flatMap((table) => table.files);
  const isAsWritten = tableFiles.every(
    ({ path, sha256 }) => hashes.get(`published/${version}/${path}`) === sha256,
  );
  if (!manifest || !isAsWritten) return false;
  await writeCatalog(published, manifest, place);
  return true;
}
