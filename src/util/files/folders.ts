import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

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

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * Where a path leads: whoever puts a file or folder there keeps the links on the way. The last of them may lead to what is
 * not there yet.
 * @returns the path itself where it is no link, and in a circle of links
 */
export function linkTarget(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  let target = path;
  for (let links = 0; lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
    if (links === mostLinks) return path;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}

/**
 * What DuckDB misreads in a path: it ends a database's name at a question mark, and takes a backslash in a pattern for a
 * slash.
 * @returns the first such character; `undefined` where there is none
 */
export function findOddCharacter(path: string): string | undefined {
  return /[?\\]/.exec(path)?.[0];
}
