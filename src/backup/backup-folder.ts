import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { backupFolderError } from "./errors.ts";
import { isFolderFree } from "./replace-folder.ts";

/** @throws {VenueError} `BACKUP_FOLDER_IN_USE` if a path, with links resolved, is a root or inside one */
export function assertOutside(paths: readonly string[], roots: readonly string[]): void {
  for (const path of paths)
    for (const root of roots)
      if (isWithin(path, root) || isWithin(path, resolveLinks(root)))
        throw backupFolderError(
          `${path} is in ${root} and would be lost with it. Choose a folder outside it.`,
        );
}

function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}

/** Creates a folder, or restricts an empty one, so that only this user can read it. */
export function makePrivateFolder(folder: string): void {
  if (!isFolderFree(folder)) return;
  if (existsSync(folder)) return void chmodSync(folder, 0o700);
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  syncToDisk(dirname(folder));
}

/** Removes a folder if it and its subfolders have no files; otherwise only subfolders without files. */
export function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  try {
    rmdirSync(folder);
  } catch {
    // It has files, or is a mount point.
  }
}
