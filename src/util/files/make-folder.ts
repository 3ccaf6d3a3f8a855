import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and those above it that are missing. Unlike the recursive form of `mkdirSync`, it ends where the
 * system answers "no such file" for a folder that can't be made, as below `/proc`.
 * @param mode of the folders that are created
 * @throws the system's error
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was quicker, or it can't be.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
