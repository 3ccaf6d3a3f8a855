import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { syncToDisk } from "../util/files/durable-files.ts";
import { makeFolder, resolveLinks } from "../util/files/folders.ts";
import { backupFolderError } from "./errors.ts";
import { isFolderFree } from "./replace-folder.ts";

/** @throws {VenueError} `BACKUP_FOLDER_IN_USE` if a path, after resolving links, is a root or inside one */
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

/** Creates a folder that only this user can read, or restricts an empty one. */
export function makePrivateFolder(folder: string): void {
  if (!isFolderFree(folder)) return;
  if (existsSync(folder)) return void chmodSync(folder, 0o700);
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  syncToDisk(dirname(folder));
}

/** Removes a folder if it contains no files, even in subfolders. Otherwise, removes only subfolders without files. */
export function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  try {
    rmdirSync(folder);
  } catch {
    // The folder contains files, or is a mount point.
  }
}
