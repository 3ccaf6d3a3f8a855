import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { processLives } from "../../state/client/process-lives.ts";

/**
 * Removes from a folder, and all folders in it, what processes that were killed left half written: reports grow, and links
 * are made, under their name with the number of their process.
 * @returns the paths of what was removed
 */
export function removeParts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // `latest` is a link, and not followed.
    if (entry.isDirectory()) return removeParts(path);
    const pid = /\.(\d+)\.(part|new)$/.exec(entry.name)?.[1];
    if (pid === undefined || processLives(Number(pid))) return [];
    rmSync(path, { force: true });
    return [path];
  });
}
