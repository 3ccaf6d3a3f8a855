import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../mart/manifest.ts";
import { renameDurably, swapLink } from "../../util/files/durable-files.ts";
import { catalogName, writeCatalog } from "./catalog.ts";
import { retireCurrent, sweepVersions, unfinishedFolder } from "./sweep-versions.ts";

/**
 * Gives a version that is whole and on disk its name, and points `current` at it: that is the instant at which
 * readers see it. Then what follows from it: `afterwards`, the catalog, and old versions swept.
 */
export async function revealVersion(
  publishedFolder: string,
  manifest: Manifest,
  afterwards: () => Promise<void> = async () => {},
): Promise<void> {
  const { version } = manifest;
  renameDurably(unfinishedFolder(publishedFolder, version), join(publishedFolder, version));
  retireCurrent(publishedFolder);
  // A relative target: the folder may be moved, or mounted elsewhere.
  swapLink(join(publishedFolder, "current"), version);
  await afterwards();
  await followReveal(publishedFolder, manifest);
}

/** What a folder has once its readers see the version. */
export async function followReveal(publishedFolder: string, manifest: Manifest): Promise<void> {
  await writeCatalog(publishedFolder, manifest);
  sweepVersions(publishedFolder);
}

/** Whether the catalog is missing, or was written before readers saw the version that they see. */
export function isCatalogOlder(publishedFolder: string): boolean {
  const [catalog, current] = [catalogName, "current"].map((name) =>
    lstatSync(join(publishedFolder, name), { throwIfNoEntry: false }),
  );
  return !catalog || (current !== undefined && catalog.mtimeMs < current.mtimeMs);
}
