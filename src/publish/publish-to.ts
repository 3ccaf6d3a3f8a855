import { constants, copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { NothingPublishedError } from "../mart/errors.ts";
import { findManifest, type Manifest, manifestName, readManifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { syncFolders, syncToDisk } from "../util/files/durable-files.ts";
import { sha256Of } from "../util/files/file-content.ts";
import { makeFolder } from "../util/files/folders.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { isIntact } from "./files/intact-file.ts";
import { translatingFolderErrors } from "./publish-folder-error.ts";
import { followReveal, isCatalogOlder, revealVersion } from "./versions/reveal-version.ts";
import { removeUnfinished, unfinishedFolder } from "./versions/sweep-versions.ts";

export interface PublishToOptions {
  /** Where the version that is copied lies. */
  publishedFolder: string;
  /** Gets the same layout: version folder, `current`, `catalog.duckdb`. Made where it is missing. */
  to: string;
  signal?: AbortSignal | undefined;
  /** Called before readers see the version; where it throws, they never do. */
  beforeReveal?: () => void;
  logger: Logger;
}

const beside = ["dictionary.json", "dictionary.html", manifestName];

/**
 * Copies the version that readers see into another folder, which its readers too see change in one instant. A copy that
 * is there already, and whole, is left alone.
 * @throws {NothingPublishedError} before the first publish
 * @throws {PublishedDamagedError} when the manifest is missing or can't be read
 * @throws {PublishedFilesDamagedError} when a file is missing, or not as it was written
 * @throws {PublishFolderError} when the other folder can't be written
 */
export async function publishTo({
  publishedFolder,
  to,
  signal,
  beforeReveal,
  logger,
}: PublishToOptions): Promise<Manifest> {
  const version = findCurrentVersion(publishedFolder);
  if (version === undefined) throw new NothingPublishedError(publishedFolder);
  const source = join(publishedFolder, version);
  const manifest = await readManifest(source);
  const unfinished = unfinishedFolder(to, version);
  return await translatingFolderErrors(to, async () => {
    try {
      makeFolder(to);
      removeUnfinished(to);
      if (findCurrentVersion(to) === version && (await isWholeCopy(join(to, version), manifest))) {
        // A copy that was killed left it for the next one.
        if (isCatalogOlder(to)) await followReveal(to, manifest);
        logger.info(`${to} has ${version} already`);
        return manifest;
      }
      for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
        signal?.throwIfAborted();
        copyDurably(join(source, path), join(unfinished, path));
        if ((await sha256Of(join(unfinished, path))) !== sha256)
          throw new PublishedFilesDamagedError(join(source, path));
      }
      for (const name of beside) copyDurably(join(source, name), join(unfinished, name));
      syncFolders(unfinished);
      beforeReveal?.();
      // A folder of that name is another warehouse's, was left by a copy that was killed, or is damaged.
      rmSync(join(to, version), { recursive: true, force: true });
      await revealVersion(to, manifest);
      logger.info(`published ${version} into ${to}`);
      return manifest;
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/** Readers would stay with files that are lost or damaged, if the copy were not made again. */
async function isWholeCopy(versionFolder: string, manifest: Manifest): Promise<boolean> {
  if (!isDeepStrictEqual(findManifest(versionFolder), manifest)) return false;
  if (beside.some((name) => !existsSync(join(versionFolder, name)))) return false;
  const manifestPath = join(versionFolder, manifestName);
  for (const { path, bytes, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    if (!(await isIntact(join(versionFolder, path), { bytes, sha256, manifestPath }))) return false;
  }
  return true;
}

function copyDurably(from: string, to: string): void {
  if (!existsSync(from)) throw new PublishedFilesDamagedError(from);
  makeFolder(dirname(to));
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  syncToDisk(to);
}

/** A published file is missing, or not as it was written. */
export class PublishedFilesDamagedError extends VenueError {
  override readonly name = "PublishedFilesDamagedError";
  readonly code = "PUBLISHED_FILES_DAMAGED";
  readonly category = "damage";

  constructor(file: string) {
    super(
      `${file} is missing, or not as it was written. Run \`venue build --full\`: it writes every file anew.`,
    );
  }
}
