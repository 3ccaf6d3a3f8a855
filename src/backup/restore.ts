import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { getCredentialsPath } from "../config/credentials-file.ts";
import { DataFolder } from "../config/data-folder.ts";
import { findManifest } from "../mart/manifest.ts";
import { writeCatalog } from "../publish/root/catalog-database.ts";
import { type DataState, openDataState } from "../state/data/data-state.ts";
import type { RunEnd } from "../state/data/runs.ts";
import { downloadFile } from "../storage/download-file.ts";
import type { Storage } from "../storage/storage.ts";
import { syncFolders, syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { VenueError } from "../util/venue-error.ts";
import {
  type BackupManifest,
  backupDamagedError,
  ignoreMisnamed,
  readBackupManifest,
} from "./backup-manifest.ts";
import { backupFolderError, isFolderFree } from "./errors.ts";
import { restoreSecret, secretName } from "./secret.ts";
import { clearUnfinished, createUnfinished, removeMarker, removeUnfinished } from "./unfinished-folder.ts";

export interface RestoreOptions {
  /** The backup, in a folder or an S3 store. */
  from: Storage;
  to: string;
  /** `VENUE_HOME`, into which the secret is restored if the backup contains it. */
  home: string;
  /** If true, an existing folder at `to` is moved aside. */
  replace: boolean;
  signal: AbortSignal;
}

export interface Restored {
  manifest: BackupManifest;
  /** New path of the previous data folder. */
  aside: string | undefined;
  /** `left` if `VENUE_HOME` already had a secret; `undefined` if the backup has none. */
  secret: "stored" | "left" | undefined;
  /** True if files of the published version were damaged before the backup was made. */
  isPublishedDamaged: boolean;
  /** Names of tokens that the restored folder has disabled, because the previous one did not accept them. */
  disabledTokens: string[];
}

/**
 * Restores the data folder to its state at the time of the backup. Writes the restored folder next to the
 * data folder, checks each file against its hash, and renames the folder when it is complete and on disk.
 * Until then, no run can start on the existing data folder. If the restore fails, the data folder and
 * `VENUE_HOME` are unchanged.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the data folder is not empty and `replace` is false, or
 * when the restore would remove the backup
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another restore is writing to it
 * @throws {VenueError} `BACKUP_DAMAGED` with nothing changed
 * @throws {RunLockedError} when a run is using the existing data folder
 */
export async function restore({ from, to, home, replace, signal }: RestoreOptions): Promise<Restored> {
  const manifest = await readBackupManifest(from);
  // Resolves a symbolic link to the data folder, perhaps on another disk, because renaming would otherwise
  // replace the link.
  const place = resolveLinks(to);
  const unfinished = clearUnfinished(place, from.location);
  if (!replace && !isFolderFree(to)) throw folderInUseError(to);
  let lock = await takeRunLock(place, signal);
  try {
    makeFolder(dirname(place));
    createUnfinished(unfinished);
    try {
      await copyBack(manifest, from, unfinished, signal);
      // A run may have created the data folder meanwhile.
      if (replace) lock ??= await takeRunLock(place, signal);
      const folder = new DataFolder(unfinished).prepare();
      if (manifest.published_version !== null)
        symlinkSync(manifest.published_version, join(folder.published, "current"));
      const isPublishedDamaged = !(await restoreCatalog(
        folder.published,
        new DataFolder(to).published,
        manifest,
      ));
      const accepted = lock?.listAcceptedTokens() ?? [];
      const disabledTokens = recordRestore(folder.stateFile, `the backup of ${manifest.made_at}`, accepted);
      syncFolders(unfinished);
      const secret = await restoreSecret(manifest, from, home);
      const aside = replaceFolder(unfinished, place, {
        lock,
        replace,
        undo: () => {
          if (secret === "stored") rmSync(getCredentialsPath(home), { force: true });
        },
      });
      removeMarker(place);
      return { manifest, aside, secret, isPublishedDamaged, disabledTokens };
    } catch (error) {
      removeUnfinished(unfinished);
      throw error;
    }
  } finally {
    lock?.release({
      status: "failed",
      exitCode: 1,
      note: "the restore failed: this folder was not replaced",
    });
  }
}

/**
 * Replaces the data folder with the restored one.
 * @param undo called if the replacement fails
 * @returns the new path of the previous data folder
 */
function replaceFolder(
  restored: string,
  place: string,
  { lock, replace, undo }: { lock: Lock | undefined; replace: boolean; undo: () => void },
): string | undefined {
  try {
    // The database must be closed before its folder moves.
    lock?.release({ status: "succeeded", exitCode: 0, note: "moved aside for a restore" });
    const aside = replace ? moveAside(place) : undefined;
    moveIntoPlace(restored, place, aside);
    return aside;
  } catch (error) {
    undo();
    throw error;
  }
}

async function copyBack(
  { files }: BackupManifest,
  from: Storage,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    if (path === secretName) continue;
    const mode = path === "state.db" ? 0o600 : undefined;
    const download = { key: path, bytes, sha256, mode, signal };
    const isIntact = await downloadFile(from, download, join(to, path)).catch(ignoreMisnamed);
    if (!isIntact) throw backupDamagedError(from.addressOf(path));
  }
}

/**
 * Records the restore for `venue runs`, and disables the tokens that are not accepted now, because they may have been
 * removed since the backup.
 * @param accepted hashes of tokens
 * @returns the names of the disabled tokens
 */
function recordRestore(stateFile: string, backup: string, accepted: readonly string[]): string[] {
  const state = openDataState(stateFile);
  try {
    state.runs.begin("restore")({ status: "succeeded", exitCode: 0, note: `restored ${backup}` });
    state.shares.disableOthers(accepted);
    const disabled = state.shares.list().filter(({ isDisabled }) => isDisabled);
    // Needed because the library may close the database only at process exit.
    state.settle();
    return disabled.map(({ name }) => name);
  } finally {
    state.close();
  }
}

/**
 * Rebuilds the catalog. It is not in the backup, because it contains the path of its folder.
 * @param place final path of `published`
 * @returns true if the published version is intact; otherwise no catalog is written
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

function folderInUseError(folder: string, options?: ErrorOptions): VenueError {
  return backupFolderError(
    `${folder} is not empty. Add --replace to move it aside before restoring, or set VENUE_DATA_DIR to another folder.`,
    options,
  );
}

interface Lock {
  /** Returns the hashes of the tokens that the folder accepts; empty if its database is unusable. */
  listAcceptedTokens(): string[];
  /** Ends the run that holds the lock. Further calls have no effect. */
  release(end: RunEnd): void;
}

/** Takes the run lock of a data folder, if it has one. @throws {RunLockedError} when a run is using it */
async function takeRunLock(folder: string, signal: AbortSignal): Promise<Lock | undefined> {
  const { stateFile } = new DataFolder(folder);
  if (!existsSync(stateFile)) return undefined;
  let state: DataState | undefined;
  let unlock: ((end: RunEnd) => void) | undefined;
  try {
    state = openDataState(stateFile);
    unlock = state.runs.begin("restore", await state.runs.watchForeignRun({ signal }));
  } catch (error) {
    state?.close();
    ignoreUnusableDatabase(error);
  }
  return {
    listAcceptedTokens() {
      try {
        const shares = unlock ? state?.shares.list() : [];
        return shares?.filter(({ isDisabled }) => !isDisabled).map(({ tokenSha256 }) => tokenSha256) ?? [];
      } catch (error) {
        ignoreUnusableDatabase(error);
        return [];
      }
    },
    release(end) {
      try {
        unlock?.(end);
      } catch (error) {
        ignoreUnusableDatabase(error);
      } finally {
        unlock = undefined;
        state?.close();
      }
    },
  };
}

/** Ignores an unusable database, because that may be the reason for the restore. */
function ignoreUnusableDatabase(error: unknown): void {
  if (!(error instanceof VenueError) || error.category === "busy") throw error;
}

/**
 * Renames an existing data folder instead of removing it.
 * @returns its new path; `undefined` if it was missing or empty
 */
function moveAside(folder: string): string | undefined {
  if (isFolderFree(folder)) return undefined;
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const named = `${folder}.replaced-${stamp}`;
  // A suffix keeps names distinct if there are several restores within a second.
  let aside = named;
  for (let count = 2; existsSync(aside); count += 1) aside = `${named}-${count}`;
  renameFolder(folder, folder, aside);
  return aside;
}

/** Gives the restored folder its final name. If that fails, gives the previous folder its name back. */
function moveIntoPlace(restored: string, folder: string, aside: string | undefined): void {
  try {
    renameFolder(folder, restored, folder);
  } catch (error) {
    if (aside !== undefined) moveBack(folder, aside, error);
    throw error;
  } finally {
    syncToDisk(dirname(folder));
  }
}

function moveBack(folder: string, aside: string, cause: unknown): void {
  try {
    renameSync(aside, folder);
  } catch {
    throw backupFolderError(
      `${folder} can't be replaced. Its previous content is now in ${aside}. Rename that to ${folder}, and restore again.`,
      { cause },
    );
  }
}

function renameFolder(folder: string, from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") throw folderInUseError(folder, { cause });
    if (code !== "EBUSY" && code !== "EXDEV") throw cause;
    throw backupFolderError(
      `${folder} is a mount point, so it can't be replaced. Set VENUE_DATA_DIR to a folder within it.`,
      { cause },
    );
  }
}
