import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolderOf } from "../config/data-folder.ts";
import { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { renameDurably, syncFolders, syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { softwareCommit, softwareVersion } from "../util/files/package-files.ts";
import { assertWarehouseNotLost } from "../workspace/lost-warehouse.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { type BackupFile, type BackupManifest, backupFormat, backupManifestName } from "./backup-manifest.ts";
import { copyFile, listFiles } from "./copy-file.ts";
import { backupFolderError, isFolderFree } from "./errors.ts";
import { getSecretFile, secretName } from "./secret.ts";
import {
  clearUnfinished,
  createUnfinished,
  isWithin,
  removeMarker,
  removeUnfinished,
} from "./unfinished-folder.ts";

export interface BackUpOptions {
  /** Folder to create. It must not exist, or must be empty. */
  to: string;
  withSecret: boolean;
}

/**
 * Copies data that cannot be collected or computed again, and the published version. The caller holds the run
 * lock, so nothing changes meanwhile. The backup is written under a temporary name, readable only by this
 * user, and renamed when it is complete and on disk.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the folder cannot be created there
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another backup is being written there
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUp(
  workspace: Workspace,
  { to: named, withSecret }: BackUpOptions,
): Promise<BackupManifest> {
  // Resolves a symbolic link to a folder, perhaps on another disk, because renaming would otherwise replace
  // the link.
  const to = resolveLinks(named);
  for (const root of [workspace.folder.root, ownFolderOf(workspace.settings)]) {
    assertOutside(named, root);
    assertOutside(to, resolveLinks(root));
  }
  const unfinished = clearUnfinished(to, workspace.folder.root);
  assertUnused(to);
  makeFolder(dirname(to));
  assertReplaceable(to, unfinished);
  createUnfinished(unfinished, 0o700);
  try {
    const plays = await checkpointWarehouse(workspace);
    const files = await copyInto(unfinished, workspace, withSecret);
    await assertCompleteCopy(join(unfinished, "warehouse.duckdb"), plays);
    const manifest = describeBackup(workspace, plays, files);
    writeManifest(unfinished, manifest);
    syncFolders(unfinished);
    workspace.state.runs.assertLock();
    renameDurably(unfinished, to);
    removeMarker(to);
    return manifest;
  } catch (error) {
    removeUnfinished(unfinished);
    throw error;
  }
}

function assertOutside(to: string, root: string): void {
  if (isWithin(to, root))
    throw backupFolderError(`${to} is in ${root} and would be lost with it. Choose a folder outside it.`);
}

function assertUnused(to: string): void {
  if (!isFolderFree(to))
    throw backupFolderError(`${to} is not empty. Choose a folder that does not exist yet.`);
}

/**
 * Checks early that the folder can be replaced, so that a backup does not fail after hours of copying.
 * @param free an unused path
 */
function assertReplaceable(to: string, free: string): void {
  if (!existsSync(to)) return;
  try {
    renameSync(to, free);
    renameSync(free, to);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EBUSY" && code !== "EXDEV") throw cause;
    throw backupFolderError(
      `${to} is a mount point, so it can't be replaced. Choose a new folder within it.`,
      { cause },
    );
  }
}

async function copyInto(target: string, workspace: Workspace, withSecret: boolean): Promise<BackupFile[]> {
  const { folder, progress, signal } = workspace;
  const stateCopy = join(target, `${folder.relativePath(folder.stateFile)}.copy`);
  const files: BackupFile[] = [];
  for (const { path, from, mode } of listSources(workspace, { stateCopy, withSecret })) {
    progress.show(`Copying ${path}`);
    files.push({ path, ...(await copyFile(from, join(target, path), signal, mode)) });
  }
  // Removes the -wal and -shm files too, because SQLite reports no error if it fails to remove them.
  for (const path of [stateCopy, `${stateCopy}-wal`, `${stateCopy}-shm`]) rmSync(path, { force: true });
  return files;
}

export function describeBackup(
  { folder }: Workspace,
  plays: number,
  files: readonly BackupFile[],
): BackupManifest {
  return {
    format: backupFormat,
    made_at: new Date().toISOString(),
    software_version: softwareVersion(),
    software_commit: softwareCommit(),
    published_version: findCurrentVersion(folder.published) ?? null,
    plays,
    files: [...files],
  };
}

/** Writes the manifest. Called last, because a folder counts as a backup only if it has a manifest. */
function writeManifest(target: string, manifest: BackupManifest): void {
  const path = join(target, backupManifestName);
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  syncToDisk(path);
}

interface BackupSource {
  /** Relative to the backup. */
  path: string;
  from: string;
  mode?: number;
}

/**
 * Lists the files of a backup. Omits reports and older versions, which can be rebuilt, and loaded landings, whose rows
 * are in the warehouse.
 * @param stateCopy path at which a copy of `state.db` is created
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` if files that should be in the backup are missing
 */
export function listSources(
  { settings, folder, state }: Workspace,
  { stateCopy, withSecret }: { stateCopy: string; withSecret: boolean },
): BackupSource[] {
  const secret = withSecret ? getSecretFile(settings.get("VENUE_HOME")) : undefined;
  const own = ownFolderOf(settings);
  assertPresent(folder.reference, false);
  assertPresent(own, own !== folder.own);
  const loaded = new Set(state.landings.listLoaded().map(({ path }) => path));
  const version = findCurrentVersion(folder.published);
  const below = (parent: string, as = parent) =>
    listFiles(parent).map((name) => ({
      path: folder.relativePath(join(as, name)),
      from: join(parent, name),
    }));
  state.copyTo(stateCopy);
  return [
    ...(existsSync(folder.warehouseFile)
      ? [{ path: folder.relativePath(folder.warehouseFile), from: folder.warehouseFile }]
      : []),
    ...below(folder.reference),
    ...below(own, folder.own),
    ...below(folder.landing).filter(({ path }) => !loaded.has(path)),
    ...(version === undefined ? [] : below(join(folder.published, version))),
    { path: folder.relativePath(folder.stateFile), from: stateCopy, mode: 0o600 },
    ...(secret === undefined ? [] : [{ path: secretName, from: secret, mode: 0o600 }]),
  ];
}

/** Rejects a folder that a link or setting names, but that is missing: a backup without it would look complete. */
function assertPresent(folder: string, isNamed: boolean): void {
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (existsSync(folder) || !(isLink || isNamed)) return;
  throw backupFolderError(
    `${folder} ${isLink ? "is a link to a folder that doesn't exist" : "(VENUE_OWN_DIR) doesn't exist"}, so it can't be backed up. Mount or create it, or remove the ${isLink ? "link" : "setting"}.`,
  );
}

/**
 * Merges the warehouse's write-ahead log, so that copying its file is enough.
 * @returns the number of plays in the warehouse; 0 if no warehouse exists yet
 * @throws {VenueError} `WAREHOUSE_LOST` if the warehouse is lost, because a backup without it would look
 * complete
 */
export async function checkpointWarehouse(workspace: Workspace): Promise<number> {
  const { folder } = workspace;
  if (!existsSync(folder.warehouseFile)) {
    await assertWarehouseNotLost(undefined, folder);
    return 0;
  }
  return await withWarehouse(
    workspace,
    async (warehouse) => {
      await assertWarehouseNotLost(warehouse, folder);
      await warehouse.run("checkpoint");
      return await countPlays(warehouse);
    },
    ["loads", "lake"],
  );
}

/** Checks that the copy opens and is complete. @throws {VenueError} `BACKUP_FOLDER_IN_USE` */
async function assertCompleteCopy(copy: string, plays: number): Promise<void> {
  if (!existsSync(copy)) return;
  const warehouse = await DuckDb.open({ path: copy, readOnly: true });
  try {
    if ((await countPlays(warehouse)) === plays) return;
  } finally {
    warehouse.close();
  }
  throw backupFolderError(
    "Another program wrote to the warehouse while it was being copied. Stop that program, and run this again.",
  );
}

async function countPlays(warehouse: DuckDb): Promise<number> {
  const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
  return plays;
}
