import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { findManifest } from "../../mart/manifest.ts";
import { findCurrentVersion, listVersions } from "../../mart/published-versions.ts";
import { swapLink } from "../../util/files/durable-files.ts";
import { sha256Of } from "../../util/files/file-content.ts";

/**
 * Points `current` at the newest version that is whole, where it points at none.
 * @returns what was done
 */
export async function restoreCurrent(publishedFolder: string, signal: AbortSignal): Promise<string[]> {
  if (findCurrentVersion(publishedFolder) !== undefined) return [];
  const link = join(publishedFolder, "current");
  const facts = lstatSync(link, { throwIfNoEntry: false });
  // Something else of that name is not ours to take away.
  if (facts && !facts.isSymbolicLink()) return [];
  for (const version of listVersions(publishedFolder).reverse()) {
    if (!(await isWhole(join(publishedFolder, version), signal))) continue;
    swapLink(link, version);
    return [`pointed ${link} at ${version}, the newest version that is whole`];
  }
  return [];
}

/** Every file is there as it was written. */
async function isWhole(versionFolder: string, signal: AbortSignal): Promise<boolean> {
  const manifest = findManifest(versionFolder);
  if (!manifest) return false;
  for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    signal.throwIfAborted();
    const file = join(versionFolder, path);
    if (!existsSync(file) || (await sha256Of(file)) !== sha256) return false;
  }
  return true;
}
