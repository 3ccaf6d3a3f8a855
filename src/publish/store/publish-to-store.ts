import { join } from "node:path";
import { NothingPublishedError } from "../../mart/errors.ts";
import { type Manifest, readManifest } from "../../mart/manifest.ts";
import { findCurrentVersion } from "../../mart/published-versions.ts";
import { assertConditional } from "../../storage/assert-conditional.ts";
import { StorageConflictError } from "../../storage/errors.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Logger } from "../../util/logger.ts";
import { VenueError } from "../../util/venue-error.ts";
import { createPointer, type FoundPointer, findPointer, type Pointer, pointerKey } from "./pointer.ts";
import { hasReaderFiles, writeReaderFiles } from "./reader-files.ts";
import { findStoreManifest, identifyPublish, readKept } from "./store-version.ts";
import { sweepStore } from "./sweep-store.ts";
import { isWhole, uploadVersion } from "./upload-version.ts";

export interface PublishToStoreOptions {
  publishedFolder: string;
  storage: Storage;
  signal?: AbortSignal | undefined;
  /** Called before the version becomes visible to readers; if it throws, the version is not published. */
  beforeReveal?: () => void;
  logger: Logger;
}

/**
 * Copies the published version into a store. Readers see it all at once, when one small object is replaced, which
 * happens only if nobody else has replaced it meanwhile. Uploads only files with new content.
 * @throws {NothingPublishedError} before the first publish
 * @throws {VenueError} `PUBLISHED_DAMAGED` if the manifest is missing or cannot be read
 * @throws {VenueError} `PUBLISHED_FILES_DAMAGED` if a file is missing or was changed
 * @throws {VenueError} `PUBLISH_OVERTAKEN` if another publish to the same place was faster
 * @throws everything that `Storage` throws
 */
export async function publishToStore(options: PublishToStoreOptions): Promise<Manifest> {
  const { publishedFolder, storage, signal, beforeReveal, logger } = options;
  const version = findCurrentVersion(publishedFolder);
  if (version === undefined) throw new NothingPublishedError(publishedFolder);
  const folder = join(publishedFolder, version);
  const manifest = await readManifest(folder);
  const before = await findPointer(storage);
  if (before && (await isShown(storage, before.pointer, manifest))) {
    // A publish that was killed may not have completed these steps.
    if (!(await hasReaderFiles(storage, before.pointer.manifest))) await finishReveal(storage);
    logger.info(`${storage.location} already has ${version}`);
    return manifest;
  }
  await assertConditional(storage);
  const publish = identifyPublish(manifest, before);
  const kept = (await readKept(storage, before)).values();
  const uploaded = await uploadVersion({ storage, folder, manifest, publish, kept, signal });
  beforeReveal?.();
  await reveal(storage, createPointer(manifest, uploaded.manifestKey, before, new Date()), before);
  await finishReveal(storage);
  const { uploadedFiles, uploadedBytes } = uploaded;
  logger.info(`published ${version} into ${storage.location}`, { uploadedFiles, uploadedBytes });
  return manifest;
}

/** Verifies the visible version, because a damaged file that is reused would never be repaired. */
async function isShown(storage: Storage, pointer: Pointer, manifest: Manifest): Promise<boolean> {
  if (!isSameVersion(pointer, manifest)) return false;
  const stored = await findStoreManifest(storage, pointer.manifest);
  return stored !== undefined && describe(stored) === describe(manifest) && (await isWhole(storage, stored));
}

function isSameVersion(a: Pick<Pointer, "version" | "built_at">, b: typeof a): boolean {
  return a.version === b.version && a.built_at === b.built_at;
}

/** Returns a text that is equal for versions with the same content, wherever their files are. */
function describe({ tables }: Manifest): string {
  const contents = Object.entries(tables).map(([name, { files }]) => [
    name,
    files.map(({ sha256 }) => sha256),
  ]);
  return JSON.stringify(contents);
}

/** Makes the version visible, unless another one became visible after `before` was read. */
async function reveal(storage: Storage, pointer: Pointer, before: FoundPointer | undefined): Promise<void> {
  const condition = before ? { ifMatch: before.objectVersion } : ({ ifNoneMatch: "*" } as const);
  try {
    await storage.put(pointerKey, `${JSON.stringify(pointer, null, 1)}\n`, condition);
  } catch (error) {
    if (!(error instanceof StorageConflictError)) throw error;
    const winner = (await findPointer(storage))?.pointer;
    if (winner && isSameVersion(winner, pointer)) return;
    throw overtakenError(storage.location, pointer.version, winner);
  }
}

async function finishReveal(storage: Storage): Promise<void> {
  await writeReaderFiles(storage);
  const shown = await findPointer(storage);
  if (shown) await sweepStore(storage, shown);
}

function overtakenError(location: string, version: string, winner: Pointer | undefined): VenueError {
  const who = winner
    ? `${winner.published_by} published ${winner.version} there at ${winner.published_at}`
    : "its current version was removed";
  return new VenueError(
    "PUBLISH_OVERTAKEN",
    "busy",
    `While ${version} was being published into ${location}, ${who}. Nothing was overwritten; readers see that. ` +
      "To replace it, run this again. If two machines publish different data, give each its own prefix.",
  );
}
