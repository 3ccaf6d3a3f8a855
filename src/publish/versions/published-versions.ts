import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** Versions that stay, however old. */
const keptVersions = 3;
/** A reader that resolved `current` is done with it after so long, in milliseconds. */
const keptForMs = 10 * 60_000;

/** All version folders, oldest first, e.g. `["v000006", "v000007"]`. */
export function listVersions(publishedFolder: string): string[] {
  if (!existsSync(publishedFolder)) return [];
  return readdirSync(publishedFolder)
    .filter((name) => /^v\d{6,}$/.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b));
}

/** The version that readers see, or `undefined` before the first. */
export function findCurrentVersion(publishedFolder: string): string | undefined {
  const link = join(publishedFolder, "current");
  try {
    const version = basename(readlinkSync(link));
    return existsSync(join(publishedFolder, version)) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** `v000008` after `v000007`. */
export function versionAfter(versions: readonly string[]): string {
  return `v${String(Math.max(0, ...versions.map(numberOf)) + 1).padStart(6, "0")}`;
}

/** A number that grows with the version. */
export function numberOf(version: string): number {
  return Number(version.slice(1));
}

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

/** Removes old versions: the last three stay, and any younger than ten minutes by the real clock. */
export function sweepVersions(publishedFolder: string): string[] {
  const current = findCurrentVersion(publishedFolder);
  const swept = listVersions(publishedFolder)
    .slice(0, -keptVersions)
    .filter((version) => version !== current)
    .filter((version) => Date.now() - statSync(join(publishedFolder, version)).mtimeMs > keptForMs);
  for (const version of swept) rmSync(join(publishedFolder, version), { recursive: true, force: true });
  return swept;
}
