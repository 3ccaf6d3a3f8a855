import { constants, copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { NothingPublishedError } from "../mart/errors.ts";
import { findManifest, type Manifest, manifestName, readManifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { syncFolders, syncToDisk } from "../util/files/durable-files.ts";
import { sha256Of } from "../util/files/file-content.ts";
import { findUnsupportedCharacter, makeFolder } from "../util/files/folders.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import { isIntact } from "./version-files.ts";
import { finishReveal, isCatalogOlder, revealVersion } from "./versions/reveal-version.ts";
import { removeUnfinished, unfinishedFolder } from "./versions/settle-killed-publish.ts";

interface PublishToOptions {
  publishedFolder: string;
  /** Folder that gets the same layout: version folder, `current`, `catalog.duckdb`. Created if missing. */
  to: string;
  signal?: AbortSignal | undefined;
  /** Called before readers see the version; if it throws, they never do. */
  beforeReveal?: () => void;
  logger: Logger;
}

const siblingFiles = ["dictionary.json", "dictionary.html", manifestName];

/**
 * Copies the published version into another folder and shows it to that folder's readers at once. A complete
 * existing copy is kept.
 * @throws {NothingPublishedError} before the first publish
 * @throws {VenueError} `PUBLISHED_DAMAGED` if the manifest is missing or cannot be read
 * @throws {VenueError} `PUBLISHED_FILES_DAMAGED` if a file is missing or was changed
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE` if the other folder cannot be written
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
  return await withFolderErrors(to, async () => {
    try {
      makeFolder(to);
      removeUnfinished(to);
      if (findCurrentVersion(to) === version && (await isWholeCopy(join(to, version), manifest))) {
        // A copy that was killed may not have updated the catalog.
        if (isCatalogOlder(to)) await finishReveal(to, manifest);
        logger.info(`${to} already has ${version}`);
        return manifest;
      }
      for (const { path, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
        signal?.throwIfAborted();
        copyDurably(join(source, path), join(unfinished, path));
        if ((await sha256Of(join(unfinished, path))) !== sha256)
          throw publishedFilesDamagedError(join(source, path));
      }
      for (const name of siblingFiles) copyDurably(join(source, name), join(unfinished, name));
      syncFolders(unfinished);
      beforeReveal?.();
      // An existing folder with that name belongs to another warehouse, was left by a killed copy, or is
      // damaged.
      rmSync(join(to, version), { recursive: true, force: true });
      await revealVersion(to, manifest);
      logger.info(`published ${version} into ${to}`);
      return manifest;
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/** Verifies a copy, because a damaged one that is kept would never be repaired. */
async function isWholeCopy(versionFolder: string, manifest: Manifest): Promise<boolean> {
  if (!isDeepStrictEqual(findManifest(versionFolder), manifest)) return false;
  if (siblingFiles.some((name) => !existsSync(join(versionFolder, name)))) return false;
  const manifestPath = join(versionFolder, manifestName);
  for (const { path, bytes, sha256 } of Object.values(manifest.tables).flatMap(({ files }) => files)) {
    if (!(await isIntact(join(versionFolder, path), { bytes, sha256, manifestPath }))) return false;
  }
  return true;
}

function copyDurably(from: string, to: string): void {
  if (!existsSync(from)) throw publishedFilesDamagedError(from);
  makeFolder(dirname(to));
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  syncToDisk(to);
}

/** A published file is missing or was changed. */
export function publishedFilesDamagedError(file: string): VenueError {
  return new VenueError(
    "PUBLISHED_FILES_DAMAGED",
    "damage",
    `${file} is missing or has changed since it was written. Run \`venue build --full\` to rewrite every file.`,
  );
}

/**
 * ENOENT counts as an error of the folder only if a folder could not be created, not for other missing files.
 */
const noFolder = "mkdir ENOENT";

/** The reason and its remedy, by system error code. */
const reasons: Record<string, string> = {
  ENOSPC: "the disk is full. Free some space, and run this again",
  EDQUOT: "the disk quota is used up. Free some space, and run this again",
  EIO: "the disk failed. Check it, and the system's log, and run this again",
  EACCES: "this user can't write there. Change the folder's owner or mode, or choose another folder",
  EPERM: "this user can't write there. Change the folder's owner or mode, or choose another folder",
  EROFS: "the file system is read-only. Choose another folder",
  ENOTDIR: "a part of the path is a file. Choose another folder",
  EISDIR:
    "`current` there is a folder instead of a link, probably created by a copy program. Remove that folder, and run this again",
  EEXIST: "a part of the path is a file. Choose another folder",
  [noFolder]: "no folder can be created there. Choose another folder",
};

/** DuckDB's messages for the same errors. */
const messages: [RegExp, string][] = [
  [/No space left on device|not enough disk space/i, "ENOSPC"],
  [/Input\/output error/i, "EIO"],
  [/Disk quota exceeded/i, "EDQUOT"],
  [/Permission denied/i, "EACCES"],
  [/Read-only file system/i, "EROFS"],
  [/Not a directory/i, "ENOTDIR"],
];

function publishFolderError(folder: string, reason: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "PUBLISH_FOLDER_UNUSABLE",
    "usage",
    `Can't publish into ${folder}: ${reason}. Versions published earlier are unchanged.`,
    options,
  );
}

/**
 * Runs `body`, unless DuckDB would misread the folder's path. Errors caused by the folder or its disk become
 * `PUBLISH_FOLDER_UNUSABLE`; other errors are rethrown unchanged.
 */
export async function withFolderErrors<Result>(folder: string, body: () => Promise<Result>): Promise<Result> {
  const odd = findUnsupportedCharacter(folder);
  if (odd !== undefined) {
    throw publishFolderError(folder, `DuckDB misreads a path with a ${odd} in it. Choose another folder`);
  }
  try {
    return await body();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const errorKey = code === "ENOENT" ? `${syscall} ${code}` : code;
    const known =
      errorKey && errorKey in reasons
        ? errorKey
        : messages.find(([pattern]) => pattern.test(message ?? ""))?.[1];
    const reason = known ? reasons[known] : undefined;
    throw reason ? publishFolderError(folder, reason, { cause: error }) : error;
  }
}
