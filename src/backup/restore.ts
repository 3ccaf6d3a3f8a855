import { existsSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { getCredentialsPath } from "../config/credentials-file.ts";
import { DataFolder, prepareHome } from "../config/data-folder.ts";
import { findManifest } from "../mart/manifest.ts";
import { writeCatalog } from "../publish/root/catalog-database.ts";
import { type DataState, openDataState } from "../state/data/data-state.ts";
import type { RunEnd } from "../state/data/runs.ts";
import { downloadFile } from "../storage/download-file.ts";
import type { Storage } from "../storage/storage.ts";
import { syncFolders } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { VenueError } from "../util/venue-error.ts";
import {
  type BackupFile,
  type BackupManifest,
  ignoreMisnamed,
  readBackupManifest,
  secretName,
} from "./backup-manifest.ts";
import { backupDamagedError, folderInUseError } from "./errors.ts";
import { isFolderFree, replaceFolder } from "./replace-folder.ts";
import { nameUnfinished, removeLeftUnfinished } from "./unfinished-folder.ts";

export interface RestoreOptions {
  /** The backup, in a folder or an S3 store. */
  from: Storage;
  to: string;
  /** `VENUE_HOME`, into which the secret is restored if the backup contains it. */
  home: string;
  /** If true, an existing folder at `to` is renamed. */
  replace: boolean;
  signal: AbortSignal;
}

export interface RestoreResult {
  manifest: BackupManifest;
  /** New path of the previous data folder. */
  aside: string | undefined;
  /** `left` if `VENUE_HOME` already had a secret; `undefined` if the backup has no secret. */
  secret: "stored" | "left" | undefined;
  /** Id of the key that signs proofs, if the backup does not contain the key. */
  lostProofKey: string | undefined;
  /** True if files of the published version were damaged before the backup was made. */
  isPublishedDamaged: boolean;
  /** Names of tokens disabled in the restored folder, because the previous folder did not accept them. */
  disabledTokens: string[];
}

/**
 * Restores the data folder to its state at the time of the backup. Writes the restored folder next to the
 * data folder, checks each file against its hash, and renames the folder when it is complete and on disk.
 * Until then, no run can start on the existing data folder. If the restore fails, the data folder and
 * `VENUE_HOME` are unchanged.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the data folder is not empty and `replace` is false
 * @throws {VenueError} `BACKUP_DAMAGED` with nothing changed
 * @throws {RunLockedError} when a run is using the existing data folder
 */
export async function restore({ from, to, home, replace, signal }: RestoreOptions): Promise<RestoreResult> {
  const manifest = await readBackupManifest(from);
  // Resolves a symbolic link to the data folder, which may be on another disk. Otherwise, renaming would
  // replace the link.
  const place = resolveLinks(to);
  if (!replace && !isFolderFree(place)) throw folderInUseError(to);
  makeFolder(dirname(place));
  removeLeftUnfinished(place);
  const restored = nameUnfinished(place);
  let lock = await takeRunLock(place, signal);
  let secret: RestoreResult["secret"];
  try {
    await copyBack(manifest, from, restored);
    // A run may have created the data folder in the meantime.
    if (replace) lock ??= await takeRunLock(place, signal);
    const folder = new DataFolder(restored).prepare();
    const isPublishedIntact = await showPublished(folder.published, new DataFolder(to).published, manifest);
    const disabledTokens = recordRestore(folder.stateFile, manifest, lock?.state);
    syncFolders(restored);
    secret = await restoreSecret(manifest, from, home);
    lock?.release({ status: "succeeded", exitCode: 0, note: "moved aside for a restore" });
    lock = undefined;
    const aside = replaceFolder(restored, place, replace);
    const lostProofKey = existsSync(new DataFolder(place).proofKey) ? undefined : manifest.proof_key;
    return {
      ...{ manifest, aside, secret, isPublishedDamaged: !isPublishedIntact, disabledTokens },
      lostProofKey: lostProofKey ?? undefined,
    };
  } catch (error) {
    if (secret === "stored") rmSync(getCredentialsPath(home), { force: true });
    throw error;
  } finally {
    rmSync(restored, { recursive: true, force: true });
    lock?.release({
      status: "failed",
      exitCode: 1,
      note: "the restore failed: this folder was not replaced",
    });
  }
}

async function copyBack({ files }: BackupManifest, from: Storage, to: string): Promise<void> {
  const { stateFile, proofKey } = new DataFolder(to);
  for (const file of files) {
    const mode = [stateFile, proofKey].includes(join(to, file.path)) ? 0o600 : undefined;
    if (file.path !== secretName) await copyFile(file, from, join(to, file.path), mode);
  }
}

/** @throws {VenueError} `BACKUP_DAMAGED` */
async function copyFile(
  { path, bytes, sha256 }: BackupFile,
  from: Storage,
  to: string,
  mode?: number,
): Promise<void> {
  const isIntact = await downloadFile(from, { key: path, bytes, sha256, mode }, to).catch(ignoreMisnamed);
  if (!isIntact) throw backupDamagedError(from.addressOf(path));
}

/** Stores the secret unless `VENUE_HOME` has one. @returns `undefined` if the backup has no secret */
async function restoreSecret(
  { files }: BackupManifest,
  from: Storage,
  home: string,
): Promise<"stored" | "left" | undefined> {
  const to = getCredentialsPath(home);
  const secret = files.find(({ path }) => path === secretName);
  if (!secret) return undefined;
  if (existsSync(to)) return "left";
  prepareHome(home);
  await copyFile(secret, from, to, 0o600);
  return "stored";
}

/**
 * Records the restore for `venue runs`. Disables tokens that the previous folder does not accept, because they may
 * have been removed since the backup.
 * @param previous state of the folder to replace
 * @returns the names of the disabled tokens
 */
function recordRestore(
  stateFile: string,
  { made_at }: BackupManifest,
  previous: DataState | undefined,
): string[] {
  const accepted = previous?.shares.list().filter(({ isDisabled }) => !isDisabled) ?? [];
  const state = openDataState(stateFile);
  try {
    const note = `restored the backup of ${made_at}`;
    state.runs.begin("restore")({ status: "succeeded", exitCode: 0, note });
    state.shares.disableOthers(accepted.map(({ tokenSha256 }) => tokenSha256));
    const disabled = state.shares.list().filter(({ isDisabled }) => isDisabled);
    // Needed because the library may not close the database before the process exits.
    state.finish();
    return disabled.map(({ name }) => name);
  } finally {
    state.close();
  }
}

/**
 * Makes the published version visible to readers, and rebuilds the catalog, which the backup does not contain
 * because it includes the folder's path.
 * @param place final path of `published`
 * @returns true if the published version is intact; otherwise no catalog is written
 */
async function showPublished(
  published: string,
  place: string,
  { published_version: version, files }: BackupManifest,
): Promise<boolean> {
  if (version === null) return true;
  symlinkSync(version, join(published, "current"));
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

interface Lock {
  state: DataState;
  /** Ends the run that holds the lock, and closes the database, which must not be moved while open. */
  release(end: RunEnd): void;
}

/** Takes a data folder's run lock, if it has one. @throws {RunLockedError} when a run is using the folder */
async function takeRunLock(folder: string, signal: AbortSignal): Promise<Lock | undefined> {
  const { stateFile } = new DataFolder(folder);
  if (!existsSync(stateFile)) return undefined;
  let opened: DataState | undefined;
  try {
    const state = openDataState(stateFile);
    opened = state;
    const unlock = state.runs.begin("restore", await state.runs.watchForeignRun({ signal }));
    const release = (end: RunEnd) => {
      unlock(end);
      state.close();
    };
    return { state, release };
  } catch (error) {
    opened?.close();
    // Ignores an unusable database, which may be the reason for the restore.
    if (!(error instanceof VenueError) || error.category === "busy") throw error;
    return undefined;
  }
}
