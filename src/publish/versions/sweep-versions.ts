import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { findCurrentVersion, listVersions } from "../../mart/published-versions.ts";

/** Versions that stay, however old. */
const keptVersions = 3;
/** A reader that resolved `current` is done with it after so long, in milliseconds. */
const keptForMs = 10 * 60_000;

/** Where a version grows before it gets its name. */
export function unfinishedFolder(publishedFolder: string, version: string): string {
  return join(publishedFolder, `.unfinished-${version}`);
}

/** Removes what a publish that was killed left behind. Only the holder of the run lock may call this. */
export function removeUnfinished(publishedFolder: string): void {
  if (!existsSync(publishedFolder)) return;
  for (const name of readdirSync(publishedFolder)) {
    if (name.startsWith(".unfinished-") || /^current(\.\d+)?\.new$/.test(name)) {
      rmSync(join(publishedFolder, name), { recursive: true, force: true });
    }
  }
}

/** Says of the version that readers will no longer find that its ten minutes begin now. */
export function retireCurrent(publishedFolder: string): void {
  const current = findCurrentVersion(publishedFolder);
  if (current === undefined) return;
  const now = new Date();
  try {
    utimesSync(join(publishedFolder, current), now, now);
  } catch (error) {
    // Another user's folder, which this one may not remove either.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

/** Removes old versions: the last three stay, and any that readers found less than ten minutes ago, by the real clock. */
export function sweepVersions(publishedFolder: string): string[] {
  const current = findCurrentVersion(publishedFolder);
  const swept = listVersions(publishedFolder)
    .slice(0, -keptVersions)
    .filter((version) => version !== current)
    .filter((version) => Date.now() - statSync(join(publishedFolder, version)).mtimeMs > keptForMs);
  for (const version of swept) rmSync(join(publishedFolder, version), { recursive: true, force: true });
  return swept;
}
