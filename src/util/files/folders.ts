import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its missing parents. Unlike recursive `mkdirSync`, this terminates if the system reports
 * "no such file" for a folder that can't be created, e.g. below `/proc`.
 * @param mode permissions of the folders that are created
 * @throws the system's error
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Ignores the error if another process created the folder first.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Maximum number of links to follow, as in Linux. */
const maxLinks = 40;

/**
 * Resolves symbolic links, so that writing to the result does not replace them. The last link's target need not
 * exist.
 * @returns the path itself if it is not a link, or if the links form a cycle
 */
export function resolveLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  let target = path;
  for (let links = 0; lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
    if (links === maxLinks) return path;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}

/**
 * Finds the first character in a path that DuckDB misreads. DuckDB ends a database's name at a question mark,
 * and reads a backslash in a pattern as a slash.
 */
export function findUnsupportedCharacter(path: string): string | undefined {
  return /[?\\]/.exec(path)?.[0];
}
