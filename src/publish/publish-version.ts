import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Manifest, manifestName, readManifest } from "../mart/manifest.ts";
import { assertConditional } from "../storage/assert-conditional.ts";
import type { Storage } from "../storage/storage.ts";
import type { Logger } from "../util/logger.ts";
import { publishTargetDamagedError, publishTargetForeignError, withFolderErrors } from "./errors.ts";
import { openRoot } from "./root/open-root.ts";
import { finishReveal, lacksCatalog, revealVersion } from "./root/reveal-version.ts";
import type { Pointer, Root } from "./root/root.ts";
import { findIntactFiles, findManifestOf, type IntactFiles } from "./root/stored-version.ts";
import { documentNames, transferVersion } from "./transfer-version.ts";

export interface PublishVersionOptions {
  /** Folder of a complete version with its manifest. */
  from: string;
  /** The folder or S3 prefix to publish into, which may be empty. */
  to: Storage;
  /** Returns true if the data to publish continues the version that readers see there. @default always */
  continues?: (shown: Manifest) => Promise<boolean>;
  /** Replaces a version that is newer, foreign, or too damaged to compare. @default false */
  acceptLoss?: boolean;
  signal?: AbortSignal | undefined;
  /** Called before readers see the version. If it throws, they never see it. */
  beforeReveal?: () => void;
  logger: Logger;
}

export interface PublishedVersion {
  manifest: Manifest;
  /** Name of its folder. */
  folder: string;
  /** Number of files uploaded from this machine; the others were linked or copied from the previous version there. */
  uploadedFiles: number;
  uploadedBytes: number;
}

/**
 * Copies a version into a folder or store and shows it to readers at once. Until then, and after a failure, readers
 * keep the version that they see. Does nothing if the version is already there and intact.
 * @throws {VenueError} `PUBLISHED_DAMAGED` if the manifest is missing or cannot be read
 * @throws {VenueError} `PUBLISHED_FILES_DAMAGED` if a file is missing or was changed
 * @throws {VenueError} `PUBLISH_TARGET_DAMAGED` or `PUBLISH_TARGET_FOREIGN`, unless `acceptLoss` is set
 * @throws {VenueError} `PUBLISH_OVERTAKEN` if another publish to the same place was faster
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE`, and everything that `Storage` throws
 */
export async function publishVersion(options: PublishVersionOptions): Promise<PublishedVersion> {
  return await withFolderErrors(options.to, async () => await publish(options));
}

async function publish(options: PublishVersionOptions): Promise<PublishedVersion> {
  const { from, to: storage, signal, beforeReveal, logger } = options;
  const manifest = await readManifest(from);
  const root = await openRoot(storage);
  const before = await root.findPointer();
  const shown = await findShown(root, before, options);
  if (before?.folder !== undefined && shown && (await isSame(root, before.folder, shown, manifest, from))) {
    // A publish that was killed may not have completed these steps.
    if (await lacksCatalog(root, before)) await finishReveal(root);
    logger.info(`${storage.location} already has ${manifest.version}`);
    return { manifest, folder: before.folder, uploadedFiles: 0, uploadedBytes: 0 };
  }
  if (shown) await assertReplaceable(shown.manifest, manifest, options);
  if (shown?.intact.damaged !== undefined)
    logger.warn(`${storage.addressOf(shown.intact.damaged)} is damaged and will be replaced`);
  await assertConditional(storage);
  const folder = nameFolder(manifest, before);
  const reusable = shown?.intact.keys ?? new Map();
  const transferred = await transferVersion({ from, manifest, storage, folder, reusable, signal });
  beforeReveal?.();
  await revealVersion(root, { folder, manifest }, before);
  logger.info(`published ${manifest.version} into ${storage.location}`, { ...transferred });
  return { manifest, folder, ...transferred };
}

interface ShownVersion {
  manifest: Manifest;
  intact: IntactFiles;
}

/** Finds the version that readers see, if its manifest can be read. */
async function findShown(
  root: Root,
  pointer: Pointer | undefined,
  { acceptLoss = false }: PublishVersionOptions,
): Promise<ShownVersion | undefined> {
  if (!pointer) return undefined;
  const manifest = pointer.folder === undefined ? undefined : await findManifestOf(root, pointer.folder);
  if (manifest && pointer.folder !== undefined)
    return { manifest, intact: await findIntactFiles(root, pointer.folder, manifest) };
  if (acceptLoss) return undefined;
  throw publishTargetDamagedError(
    root.storage.location,
    pointer.folder === undefined
      ? "its pointer (current) is not readable or points to nothing"
      : `${root.storage.addressOf(`${pointer.folder}/${manifestName}`)} is missing or not a manifest`,
  );
}

async function isSame(
  { storage }: Root,
  folder: string,
  { manifest, intact }: ShownVersion,
  next: Manifest,
  from: string,
): Promise<boolean> {
  if (intact.damaged !== undefined || !isDeepStrictEqual(manifest, next)) return false;
  for (const name of documentNames.filter((one) => existsSync(join(from, one))))
    if (!(await storage.findInfo(`${folder}/${name}`))) return false;
  return true;
}

async function assertReplaceable(
  shown: Manifest,
  next: Manifest,
  { to, continues, acceptLoss = false }: PublishVersionOptions,
): Promise<void> {
  if (acceptLoss || (shown.version === next.version && shown.built_at === next.built_at)) return;
  const isNewer = Date.parse(shown.built_at) > Date.parse(next.built_at);
  if (isNewer || !((await continues?.(shown)) ?? true))
    throw publishTargetForeignError(to.location, shown, next, isNewer);
}

/** Files of a killed publish are reused up to this age, well before they are deleted. */
const reusableMs = 12 * 3_600_000;

/**
 * Returns a folder name that no other version ever has, because the pointer never returns to an earlier state. If a
 * killed publish is repeated, it gets the same name, so that its files are reused.
 */
function nameFolder(manifest: Manifest, before: Pointer | undefined): string {
  const period = Math.floor(Date.now() / reusableMs);
  const id = createHash("sha256").update(JSON.stringify([manifest, before?.state, before?.shownAt, period]));
  return `${manifest.version}-${id.digest("hex").slice(0, 8)}`;
}
