import { configureGroups } from "../build/configure-groups.ts";
import { prepareCore } from "../load/prepare-core.ts";
import { listReferenceProblems } from "../load/reference/check-reference.ts";
import { getVersionId, isCoreManifest } from "../mart/core-manifest.ts";
import { writeCoreVersion } from "../publish/core/write-core-version.ts";
import { type PublishedVersion, publishVersion } from "../publish/publish-version.ts";
import { openStorage } from "../storage/open-storage.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";

interface PublishedCore extends PublishedVersion {
  rows: number;
  files: number;
  /** Reference files that were not applied, and why. */
  referenceProblems: string[];
}

/**
 * Publishes the loaded data for builders on a cluster, even if it was never built here.
 * @param to absolute path, or `s3://bucket/prefix`
 * @param acceptLoss replaces what another warehouse published there
 */
export async function publishCore(
  workspace: Workspace,
  { to, acceptLoss }: { to: string; acceptLoss: boolean },
): Promise<PublishedCore> {
  const { settings, folder, state, clock, logger, progress, signal } = workspace;
  const storage = await openStorage(to, { signal });
  const options = { signal, beforeReveal: () => state.runs.assertLock(), logger };
  progress.show("Writing the loaded data");
  const { local, referenceProblems } = await withWarehouse(workspace, async (warehouse) => {
    const reference = await prepareCore(warehouse, folder.reference);
    await configureGroups(warehouse, settings.find("VENUE_GROUP_IDS") ?? []);
    const local = await writeCoreVersion(warehouse, {
      ...options,
      coreFolder: folder.publishedCore,
      now: clock.now(),
    });
    return { local, referenceProblems: listReferenceProblems(reference) };
  });
  progress.show(`Publishing into ${to}`);
  const published = await publishVersion({
    ...options,
    ...{ from: local.folder, to: storage, acceptLoss },
    continues: async (shown) => isCoreManifest(shown) && local.earlierIds.includes(getVersionId(shown)),
  });
  progress.clear();
  const files = Object.values(local.manifest.tables).flatMap((table) => table.files);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return { ...published, rows, files: files.length, referenceProblems };
}
