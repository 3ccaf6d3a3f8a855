import { type Dirent, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { otherProcessLives } from "../../util/process-lives.ts";

/**
 * Removes from a folder, and all folders in it, what processes that were killed left half written: reports grow, and links
 * are made, under their name with the number of their process. What another user does not let us see or remove stays. To be
 * called where this process writes none: in a container, one that was killed had its number.
 * @returns the paths of what was removed
 */
export function removeParts(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    // `latest` is a link, and not followed.
    if (entry.isDirectory()) return removeParts(path);
    const pid = /\.(\d+)\.(part|new)$/.exec(entry.name)?.[1];
    return pid !== undefined && !otherProcessLives(Number(pid)) && remove(path) ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}
