import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { findManifest, type Manifest } from "../mart/manifest.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { FolderStorage } from "../storage/folder-storage.ts";
import { renameDurably } from "../util/files/durable-files.ts";
import { makeFolder } from "../util/files/folders.ts";
import type { Logger } from "../util/logger.ts";
import type { CustomReader } from "./dictionary/data-dictionary.ts";
import { withFolderErrors } from "./errors.ts";
import { findLosses, lostDataError } from "./find-losses.ts";
import { recordPublished, removeUnfinished, unfinishedFolder } from "./finish-killed-publish.ts";
import { openRoot } from "./root/open-root.ts";
import { revealVersion } from "./root/reveal-version.ts";
import type { WrittenVersion } from "./version-files.ts";
import { findPreviousVersion } from "./versions/previous-version.ts";
import { writeVersion } from "./versions/write-version.ts";

export interface PublishOptions {
  publishedFolder: string;
  /** The built version, e.g. `v000007`. */
  version: string;
  /** Time of publication, on the data's clock (see `VENUE_NOW`). */
  now: Date;
  /** Publishes even if readers lose data. @default false */
  acceptLoss?: boolean;
  /** If a month of a fact has more rows, it is split into several files. @default 245,760 */
  rowsPerFile?: number;
  /** The user's reports and checks, for the dictionary. @default none */
  custom?: readonly CustomReader[];
  signal?: AbortSignal | undefined;
  /** Called before readers see the version. If it throws, they never see it. */
  beforeReveal?: () => void;
  logger: Logger;
}

export interface PublishSummary {
  version: string;
  folder: string;
  manifest: Manifest;
  /** Number of files reused from the previous version; all others were written. */
  linkedFiles: number;
}

/**
 * Writes the last built mart into `<publishedFolder>/<version>` and shows it to readers at once, by swapping
 * `current`. Until then, and after a failure, readers keep the previous version untouched.
 * @throws {VenueError} `PUBLISH_FOLDER_UNUSABLE` if the folder cannot be written
 * @throws {VenueError} `LOST_DATA` if readers would lose data, and `acceptLoss` is not set
 */
export async function publishMart(warehouse: DuckDb, options: PublishOptions): Promise<PublishSummary> {
  const {
    publishedFolder,
    version,
    now,
    acceptLoss = false,
    rowsPerFile,
    custom,
    signal,
    beforeReveal,
    logger,
  } = options;
  const unfinished = unfinishedFolder(publishedFolder, version);
  let checkpoint: Promise<unknown> | undefined;
  return await withFolderErrors(publishedFolder, async () => {
    try {
      makeFolder(publishedFolder);
      removeUnfinished(publishedFolder);
      mkdirSync(unfinished);
      const root = await openRoot(new FolderStorage(publishedFolder));
      const before = await root.findPointer();
      const previous = await findPreviousVersion(warehouse, publishedFolder);
      const { manifest, linkedFiles } = await warehouse.interruptible(signal, () =>
        writeVersion(warehouse, {
          versionFolder: unfinished,
          version,
          previous,
          custom,
          rowsPerFile,
          signal,
        }),
      );
      const next = { folder: unfinished, manifest };
      if (!acceptLoss) await assertNoLoss(warehouse, publishedFolder, next);
      beforeReveal?.();
      renameDurably(unfinished, join(publishedFolder, version));
      // After this, readers see the version. If a later step is interrupted, the next publish completes it.
      await revealVersion(root, { folder: version, manifest }, before, async () => {
        await recordPublished(warehouse, version, now);
        // The checkpoint runs here while the catalog is written, rather than on closing, which would retry a
        // failed one.
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

async function assertNoLoss(warehouse: DuckDb, publishedFolder: string, next: WrittenVersion): Promise<void> {
  const current = findCurrentVersion(publishedFolder);
  if (current === undefined) return;
  const folder = join(publishedFolder, current);
  const manifest = findManifest(folder);
  const losses = manifest ? await findLosses(warehouse, { folder, manifest }, next) : [];
  if (losses.length > 0) throw lostDataError(join(publishedFolder, "current"), losses);
}
