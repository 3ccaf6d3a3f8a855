import { existsSync } from "node:fs";
import { join } from "node:path";
import { NothingPublishedError } from "../mart/errors.ts";
import { findCurrentVersion } from "../mart/published-versions.ts";
import { type PublishedVersion, publishVersion } from "../publish/publish-version.ts";
import { hasPublished } from "../publish/versions/previous-version.ts";
import { openStorage } from "../storage/open-storage.ts";
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
      (await withWarehouse(workspace, (warehouse) => hasPublished(warehouse, shown))),
    acceptLoss,
    signal,
    beforeReveal: () => state.runs.assertLock(),
    logger,
  });
}
