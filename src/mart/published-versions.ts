import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** Name of a version and its folder: `v000007`. After `v999999`, names have more digits. */
export const versionForm = /^v\d{6,12}$/;

/** Name of a version's folder. It ends in an id if `venue publish --to` wrote it. */
export const versionFolderForm = /^v\d{6,12}(-[0-9a-f]{8})?$/;

/** Lists all version folders, oldest first, e.g. `["v000006", "v000007"]`. */
export function listVersions(publishedFolder: string): string[] {
  if (!existsSync(publishedFolder)) return [];
  return sortVersions(readdirSync(publishedFolder).filter((name) => versionFolderForm.test(name)));
}

/** Returns the version that readers see, or `undefined` before the first publish. */
export function findCurrentVersion(publishedFolder: string): string | undefined {
  const link = join(publishedFolder, "current");
  try {
    const version = basename(readlinkSync(link));
    return existsSync(join(publishedFolder, version)) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Sorts versions, oldest first: `v999999` before `v1000000`. */
export function sortVersions(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => versionNumber(a) - versionNumber(b));
}

/** Returns `v000008` after `v000007`. */
export function incrementVersion(versions: readonly string[]): string {
  return `v${String(Math.max(0, ...versions.map(versionNumber)) + 1).padStart(6, "0")}`;
}

export function versionNumber(version: string): number {
  return Number.parseInt(version.slice(1), 10);
}
