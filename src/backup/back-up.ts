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
import { backupFolderError, isFolderFree } from "./errors.ts";
import { getSecretFile, secretName } from "./secret.ts";
import {
  clearUnfinished,
  endUnfinished,
  isWithin,
  makeUnfinished,
  removeUnfinished,
} from "./unfinished-folder.ts";

export interface BackUpOptions {
  /** New folder; must not exist, or be empty. */
  to: string;
  withSecret: boolean;
}

/**
 * Copies irreplaceable data and what readers see. The caller holds the run lock, so nothing changes
 * meanwhile. The backup is written under a temporary name, readable by this user only, and renamed when it is
 * complete and on disk.
 * @throws {VenueError} `BACKUP_FOLDER_IN_USE` when the folder cannot be created there
 * @throws {VenueError} `BACKUP_FOLDER_BUSY` when another backup is being written there
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost
 */
export async function backUp(
  workspace: Workspace,
  { to: named, withSecret }: BackUpOptions,
): Promise<BackupManifest> {
  // Resolves a link to a folder, perhaps on another disk, so that the link is kept.
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
    throw backupFolderError(
      `${to} is in the data folder, and would be lost with it. Choose a folder outside it.`,
    );
}

function refuseUsed(to: string): void {
  if (!isFolderFree(to))
    throw backupFolderError(`${to} is not empty. Choose a folder that does not exist yet.`);
}

/** Tests early whether the folder can be replaced, not after hours of copying. @param free an unused name */
function refuseMount(to: string, free: string): void {
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
  // SQLite reports no error when it fails to remove the files next to a database.
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

/** Written last: without the manifest, the folder is not a valid backup. */
function writeManifest(target: string, manifest: BackupManifest): void {
  const path = join(target, backupManifestName);
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  syncToDisk(path);
}

/**
 * Lists the files that a backup copies unchanged, relative to the data folder. Left out: reports and older
 * versions, which are rebuilt or swept, and loaded landings, whose rows are in the warehouse.
 */
function listSources({ folder, state }: Workspace): string[] {
  const loaded = new Set(state.landings.listLoaded().map(({ path }) => path));
  const version = findCurrentVersion(folder.published);
  const below = (parent: string) => listFiles(parent).map((name) => folder.relativePath(join(parent, name)));
  return [
    ...(existsSync(folder.warehouseFile) ? [folder.relativePath(folder.warehouseFile)] : []),
    ...below(folder.reference),
    ...below(folder.own),
    ...below(folder.landing).filter((path) => !loaded.has(path)),
    ...(version === undefined ? [] : below(join(folder.published, version))),
  ];
}

/**
 * Writes the whole warehouse to its single file.
 * @returns its number of plays; 0 if no warehouse exists yet
 * @throws {VenueError} `WAREHOUSE_LOST` when the warehouse is lost: a backup without it would look complete
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

/** Checks that the copy opens and is complete. @throws {VenueError} `BACKUP_FOLDER_IN_USE` */
async function assertHolds(copy: string, plays: number): Promise<void> {
  if (!existsSync(copy)) return;
  const warehouse = await DuckDb.open({ path: copy, readOnly: true });
  try {
    if ((await countPlays(warehouse)) === plays) return;
  } finally {
    warehouse.close();
  }
  throw backupFolderError(
    "Another program wrote to the warehouse while it was copied. Stop that program, and run this again.",
  );
}

async function countPlays(warehouse: DuckDb): Promise<number> {
  const { plays } = await warehouse.get<{ plays: number }>("select count(*) as plays from core.play");
  return plays;
}
