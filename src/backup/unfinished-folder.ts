import { rmSync } from "node:fs";
import { resolve, sep } from "node:path";
import { linkTarget } from "../util/files/link-target.ts";
import { BackupFolderError } from "./backup-folder-error.ts";

/**
 * The name under which a folder grows before it takes its place. What an earlier command left under it is removed.
 * @param kept a folder that is read meanwhile
 * @throws {BackupFolderError} when that one would be removed
 */
export function clearUnfinished(folder: string, kept: string): string {
  const unfinished = `${folder}.unfinished`;
  if (isWithin(linkTarget(kept), unfinished))
    throw new BackupFolderError(
      `${kept} has the name under which ${folder} would grow, and would be removed. Rename it first.`,
    );
  rmSync(unfinished, { recursive: true, force: true });
  return unfinished;
}

/** Whether a path lies in a folder, or is that folder. */
export function isWithin(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
}
