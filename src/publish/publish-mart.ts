import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findManifest, type Manifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { makeFolder } from "../util/files/folders.ts";
import type { Logger } from "../util/logger.ts";
import { findLosses, lostDataError } from "./find-losses.ts";
import { translatingFolderErrors } from "./publish-to.ts";
import type { WrittenVersion } from "./version-files.ts";
import { findPreviousVersion } from "./versions/previous-version.ts";
import { revealVersion } from "./versions/reveal-version.ts";
import { recordPublished, removeUnfinished, unfinishedFolder } from "./versions/settle-killed-publish.ts";
import { writeVersion } from "./versions/write-version.ts";

export interface PublishOptions {
  publishedFolder: string;
  /** The version that was built, e.g. `v000007`. */
  version: string;
  /** "Now" in data. */
  now: Date;
  /** Publishes also what lacks what readers see now. @default false */
  acceptLoss?: boolean;
  /** Plays were taken back on purpose, with a machine that has left the lake. @default false */
  isRetracted?: boolean;
  /** A month of a fact with more rows than this has several files. @default 245,760 */
  rowsPerFile?: number;
  signal?: AbortSignal | undefined;
  /** Called before readers see the version; where it throws, they never do. */
  beforeReveal?: () => void;
  logger: Logger;
}

export interface PublishSummary {
  version: string;
  /** The version's own folder. */
  folder: string;
  manifest: Manifest;
  /** Files of the version before that serve again; all others were written. */
  linkedFiles: number;
}

/**
 * Writes the mart as it was built last into `<publishedFolder>/<version>`, and then shows it to readers in one
 * instant, by swapping `current`. Until then nothing of what they see is touched; a failure leaves it at that.
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE` when the folder can't be written
 * @throws {VenueError} `LOST_DATA` when readers would lose what they see, and `acceptLoss` is not set
 */
export async function publishMart(warehouse: DuckDb, options: PublishOptions): Promise<PublishSummary> {
  const {
    publishedFolder,
    version,
    now,
    acceptLoss = false,
    isRetracted = false,
    rowsPerFile,
    signal,
    beforeReveal,
    logger,
  } = options;
  const unfinished = unfinishedFolder(publishedFolder, version);
  let checkpoint: Promise<unknown> | undefined;
  return await translatingFolderErrors(publishedFolder, async () => {
    try {
      makeFolder(publishedFolder);
      removeUnfinished(publishedFolder);
      mkdirSync(unfinished);
      const previous = await findPreviousVersion(warehouse, publishedFolder);
      const { manifest, linkedFiles } = await warehouse.interruptible(signal, () =>
        writeVersion(warehouse, { versionFolder: unfinished, version, previous, rowsPerFile, signal }),
      );
      const next = { folder: unfinished, manifest };
      if (!acceptLoss) await refuseLoss(warehouse, publishedFolder, next, isRetracted);
      beforeReveal?.();
      // From here on readers see it; what is cut off after that, the next publish makes up for.
      await revealVersion(publishedFolder, manifest, async () => {
        await recordPublished(warehouse, version, now);
        // Closing would do it, too, but not while the catalog is written. It tries again what fails.
        checkpoint = warehouse.run("checkpoint").catch(() => undefined);
      });
      logger.info(`published ${version}`);
      return { version, folder: join(publishedFolder, version), manifest, linkedFiles };
    } finally {
      await checkpoint;
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

async function refuseLoss(
  warehouse: DuckDb,
  publishedFolder: string,
  next: WrittenVersion,
  isRetracted: boolean,
): Promise<void> {
  const current = findCurrentVersion(publishedFolder);
  if (current === undefined) return;
  const folder = join(publishedFolder, current);
  const manifest = findManifest(folder);
  const losses = manifest ? await findLosses(warehouse, { folder, manifest }, next, isRetracted) : [];
  if (losses.length > 0) throw lostDataError(join(publishedFolder, "current"), losses);
}
