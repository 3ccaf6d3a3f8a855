import { existsSync } from "node:fs";
import { join } from "node:path";
import { configureGroups } from "../build/configure-groups.ts";
import { prepareCore } from "../load/prepare-core.ts";
import { listReferenceProblems } from "../load/reference/check-reference.ts";
import { NothingPublishedError } from "../mart/errors.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { type PublishLakeSummary, publishLake } from "../publish/lake/publish-lake.ts";
import { publishStoredLake } from "../publish/lake/publish-stored-lake.ts";
import { type PublishedVersion, publishVersion } from "../publish/publish-version.ts";
import { hasPublished } from "../publish/versions/previous-version.ts";
import { openStorage } from "../storage/open-storage.ts";
import { isS3Url } from "../storage/s3-url.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";

/**
 * Publishes the version that was built here into another folder, or into an S3 store.
 * @param to absolute path, or `s3://bucket/prefix`
 * @param acceptLoss replaces a version that is newer than this one, or from another warehouse
 */
export async function publishBuilt(
  workspace: Workspace,
  to: string,
  acceptLoss: boolean,
): Promise<PublishedVersion> {
  const { folder, state, logger, signal } = workspace;
  const current = findCurrentVersion(folder.published);
  if (current === undefined) throw new NothingPublishedError(folder.published);
  return await publishVersion({
    from: join(folder.published, current),
    to: await openStorage(to, { signal }),
    continues: async (shown) =>
      existsSync(folder.warehouseFile) &&
      (await withWarehouse(workspace, (warehouse) => hasPublished(warehouse, shown), ["loads", "lake"])),
    acceptLoss,
    signal,
    beforeReveal: () => state.runs.assertLock(),
    logger,
  });
}

export interface LakeTarget {
  /** Absolute path, or `s3://bucket/prefix`. */
  lake: string;
  /** This machine's name in the lake. */
  machine: string;
  /** Publishes even if readers lose data that they see now. */
  acceptLoss: boolean;
}

interface PublishedIntoLake extends PublishLakeSummary {
  /** Reference files that were not applied, and why. */
  referenceProblems: string[];
}

/** Publishes this machine's loaded data into a lake, even if it was never built here. */
export async function publishIntoLake(workspace: Workspace, target: LakeTarget): Promise<PublishedIntoLake> {
  const { settings, folder, state, clock, logger, progress, signal } = workspace;
  return await withWarehouse(workspace, async (warehouse) => {
    const referenceProblems = listReferenceProblems(await prepareCore(warehouse, folder.reference));
    await configureGroups(warehouse, settings.find("VENUE_GROUP_IDS") ?? []);
    const { lake, ...others } = target;
    const options = {
      ...others,
      now: clock.now(),
      softwareVersion: softwareVersion(),
      signal,
      beforeReveal: () => state.runs.assertLock(),
      logger,
      onProgress: (path: string) => progress.show(`Writing ${path}`),
    };
    if (!isS3Url(lake)) return { ...(await publishLake(warehouse, { ...options, lake })), referenceProblems };
    const stored = { ...options, storage: await openStorage(lake, { signal }), tempFolder: folder.temp };
    return { ...(await publishStoredLake(warehouse, stored)), referenceProblems };
  });
}
