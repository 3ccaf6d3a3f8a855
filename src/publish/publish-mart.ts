import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../engines/duckdb.ts";
import type { Logger } from "../util/logger.ts";
import { makeFolder } from "../util/make-folder.ts";
import { LostPlaysError } from "./lost-plays-error.ts";
import { findManifest, type Manifest } from "./manifest.ts";
import { findPreviousVersion } from "./previous-version.ts";
import { translatingFolderErrors } from "./publish-folder-error.ts";
import { findCurrentVersion, removeUnfinished, unfinishedFolder } from "./published-versions.ts";
import { recordPublished } from "./record-published.ts";
import { revealVersion } from "./reveal-version.ts";
import { writeVersion } from "./write-version.ts";

export interface PublishOptions {
  publishedFolder: string;
  /** The version that was built, e.g. `v000007`. */
  version: string;
  /** "Now" in data. */
  now: Date;
  signal?: AbortSignal | undefined;
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
 * @throws {PublishFolderError} when the folder can't be written
 * @throws {LostPlaysError} when readers see plays, and would see none
 */
export async function publishMart(warehouse: DuckDb, options: PublishOptions): Promise<PublishSummary> {
  const { publishedFolder, version, now, signal, logger } = options;
  const unfinished = unfinishedFolder(publishedFolder, version);
  return await translatingFolderErrors(publishedFolder, async () => {
    try {
      makeFolder(publishedFolder);
      removeUnfinished(publishedFolder);
      mkdirSync(unfinished);
      const previous = await findPreviousVersion(warehouse, publishedFolder);
      const { manifest, linkedFiles } = await warehouse.interruptible(signal, () =>
        writeVersion(warehouse, { versionFolder: unfinished, version, previous, signal }),
      );
      keepPlays(publishedFolder, manifest);
      // From here on readers see it; what is cut off after that, the next publish makes up for.
      await revealVersion(publishedFolder, manifest, () => recordPublished(warehouse, version, now));
      logger.info(`published ${version}`);
      return { version, folder: join(publishedFolder, version), manifest, linkedFiles };
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

/** Plays never leave a warehouse: one that has none any more is not the one that was published from. */
function keepPlays(publishedFolder: string, next: Manifest): void {
  const current = findCurrentVersion(publishedFolder);
  const shown = current === undefined ? undefined : findManifest(join(publishedFolder, current));
  const plays = shown?.tables.fact_play?.rows ?? 0;
  if (plays > 0 && next.tables.fact_play?.rows === 0) {
    throw new LostPlaysError(join(publishedFolder, "current"), plays);
  }
}
