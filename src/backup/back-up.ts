import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { renameDurably, syncFolders, syncToDisk } from "../util/files/durable-files.ts";
import { linkTarget, makeFolder } from "../util/files/folders.ts";
import { softwareCommit, softwareVersion } from "../util/files/package-files.ts";
import { refuseLostWarehouse } from "../workspace/lost-warehouse.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { type BackupFile, type BackupManifest, backupFormat, backupManifestName } from "./backup-manifest.ts";
import { copyFile, listFiles } from "./copy-file.ts";
import { backupFolderError, isFree } from "./errors.ts";
import { getSecretFile, secretName } from "./secret.ts";
import {
  clearUnfinished,
  endUnfinished,
  isWithin,
  makeUnfinished,
  removeUnfinished,
} from "./unfinished-folder.ts";

export interface BackUpOptions {
  /** Is made; it must not exist, or be empty. */
  to: string;
  withSecret: boolean;
}

/**
 * Copies what can't be had again, and what readers see, for the holder of the run lock: nothing changes meanwhile. The
 * backup grows under another name, readable by this user alone, and gets its own once it is whole and on disk.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when it can't be made there
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another backup is made there
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUp(
  workspace: Workspace,
  { to: named, withSecret }: BackUpOptions,
): Promise<BackupManifest> {
  // A link to a folder, perhaps on another disk, stays.
  const to = linkTarget(named);
  refuseWithin(named, workspace.folder.root);
  refuseWithin(to, linkTarget(workspace.folder.root));
  const unfinished = clearUnfinished(to, workspace.folder.root);
  refuseUsed(to);
  makeFolder(dirname(to));
  refuseMount(to, unfinished);
  makeUnfinished(unfinished, 0o700);
  try {
    const plays = await settleWarehouse(workspace);
    const files = await copyInto(unfinished, workspace, withSecret);
    await assertHolds(join(unfinished, "warehouse.duckdb"), plays);
    const manifest = describe(workspace, plays, files);
    writeManifest(unfinished, manifest);
    syncFolders(unfinished);
    workspace.state.runs.assertLock();
    renameDurably(unfinished, to);
    endUnfinished(to);
    return manifest;
  } catch (error) {
    removeUnfinished(unfinished);
    throw error;
  }
}

function refuseWithin(to: string, root: string): void {
  if (isWithin(to, root))
    throw backupFolderError(`${to} lies in the data folder, and would be lost with it. Name one elsewhere.`);
}

function refuseUsed(to: string): void {
  if (!isFree(to))
    throw backupFolderError(`${to} holds something already. Name a folder that does not exist yet.`);
}

/**
 * Tries at once whether the folder can give way, not after hours of copying, perhaps onto the wrong disk.
 * @param free a name beside it
 */
function refuseMount(to: string, free: string): void {
  if (!existsSync(to)) return;
  try {
    renameSync(to, free);
    renameSync(free, to);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EBUSY" && code !== "EXDEV") throw cause;
    throw backupFolderError(
      `${to} is where a disk is mounted, so nothing can take its place. Name a new folder within it.`,
      { cause },
    );
  }
}

async function copyInto(target: string, workspace: Workspace, withSecret: boolean): Promise<BackupFile[]> {
  const { settings, folder, state, progress, signal } = workspace;
  const statePath = folder.relativePath(folder.stateFile);
  const stateCopy = join(target, `${statePath}.copy`);
  state.copyTo(stateCopy);
  const sources = [
    ...listSources(workspace).map((path) => ({ path, from: folder.resolve(path), mode: undefined })),
    { path: statePath, from: stateCopy, mode: 0o600 },
    ...(withSecret
      ? [{ path: secretName, from: getSecretFile(settings.get("VENUE_HOME")), mode: 0o600 }]
      : []),
  ];
  const files: BackupFile[] = [];
  for (const { path, from, mode } of sources) {
    progress.show(`Copying ${path}`);
    files.push({ path, ...(await copyFile(from, join(target, path), signal, mode)) });
  }
  // SQLite says nothing where it could not remove what it had beside a database.
  for (const path of [stateCopy, `${stateCopy}-wal`, `${stateCopy}-shm`]) rmSync(path, { force: true });
  return files;
}

function describe({ folder }: Workspace, plays: number, files: readonly BackupFile[]): BackupManifest {
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

/** The last file: without it, the folder is no backup. */
function writeManifest(target: string, manifest: BackupManifest): void {
  const path = join(target, backupManifestName);
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  syncToDisk(path);
}

/**
 * What a backup takes as it lies in the data folder, relative to it. Not in it: reports and older versions, which are
 * made again or swept, and landings that were loaded, which are in the warehouse.
 */
function listSources({ folder, state }: Workspace): string[] {
  const loaded = new Set(state.landings.listLoaded().map(({ path }) => path));
  const version = findCurrentVersion(folder.published);
  const below = (parent: string) => listFiles(parent).map((name) => folder.relativePath(join(parent, name)));
  return [
    ...(existsSync(folder.warehouseFile) ? [folder.relativePath(folder.warehouseFile)] : []),
    ...below(folder.reference),
    ...below(folder.landing).filter((path) => !loaded.has(path)),
    ...(version === undefined ? [] : below(join(folder.published, version))),
  ];
}

/**
 * Puts all of the warehouse into its one file.
 * @returns how many plays it holds; 0 where there is no warehouse yet
 * @throws {VenueError} `WAREHOUSE_LOST` when nothing is left of it: a backup without it would pass for one
 */
async function settleWarehouse(workspace: Workspace): Promise<number> {
  const { folder } = workspace;
  if (!existsSync(folder.warehouseFile)) {
    await refuseLostWarehouse(undefined, folder);
    return 0;
  }
  return await withWarehouse(
    workspace,
    async (warehouse) => {
      await refuseLostWarehouse(warehouse, folder);
      await warehouse.run("checkpoint");
      return await countPlays(warehouse);
    },
    ["loads", "lake"],
  );
}

/** A copy that can't be opened, or lacks something, is no backup. @throws {VenueError} `BACKUP_FOLDER_IN_USE` */
async function assertHolds(copy: string, plays: number): Promise<void> {
  if (!existsSync(copy)) return;
  const warehouse = await DuckDb.open({ path: copy, readOnly: true });
  try {
    if ((await countPlays(warehouse)) === plays) return;
  } finally {
    warehouse.close();
  }
  throw backupFolderError(
    "Another program wrote to the warehouse while it was copied. End that program, and run this again.",
  );
}

async function countPlays(warehouse: DuckDb): Promise<number> {
  const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
  return plays;
}
