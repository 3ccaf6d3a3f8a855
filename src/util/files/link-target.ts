import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

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
