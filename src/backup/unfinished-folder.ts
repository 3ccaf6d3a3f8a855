import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { getProcessSpace, hasEnded, identifyThisProcess } from "../util/process-liveness.ts";

/** Returns the temporary name under which this process restores a folder, next to it. */
export function nameUnfinished(folder: string): string {
  return `${folder}.restoring-${identifyThisProcess().replaceAll(" ", "-")}`;
}

/** Removes the temporary folders that killed restores of a folder left next to it. */
export function removeLeftUnfinished(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.restoring-`)) continue;
    const id = /\.restoring-(\d+)-(\d*)-(.+)$/.exec(name)?.slice(1).join(" ");
    if (id === undefined || (id.endsWith(` ${getProcessSpace()}`) && !hasEnded(id))) continue;
    rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}
