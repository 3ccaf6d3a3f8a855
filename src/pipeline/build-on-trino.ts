import { type BuildOptions, type BuildSummary, runBuild } from "../build/build-mart.ts";
import { buildSettings } from "../build/build-settings.ts";
import { assertBuilt } from "../build/built-models.ts";
import { runCustomChecks } from "../build/custom-checks.ts";
import { type CheckResult, isError, runChecks } from "../build/run-checks.ts";
import {
  assertComplete,
  createBranchWorkbench,
  createCoreTables,
  playsAtOnce,
} from "../build/trino/core-tables.ts";
import { assertRegistered, findChangedDays, registerCore } from "../build/trino/register-core.ts";
import { customFolderOf, customLimitsOf } from "../config/data-folder.ts";
import { catalogs } from "../engines/trino/trino-options.ts";
import type { ChangedDay } from "../mart/pending-days.ts";
import { incrementVersion } from "../mart/published-versions.ts";
import { assertThisBranch, beginBranch, revealBranch } from "../publish/branch/build-branch.ts";
import { type CoreInRoot, readCoreVersion } from "../publish/core/read-core-version.ts";
import { writePublished } from "../publish/finish-killed-publish.ts";
import { openStorage } from "../storage/open-storage.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import { type Cluster, resolveTrinoLocation, withCluster } from "../workspace/cluster.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface TrinoBuildResult {
  built: BuildSummary;
  checks: CheckResult[];
  /** True if readers see the build; false if a check found an error. */
  isShown: boolean;
}

export interface TrinoBuildFlags {
  /**
   * Folder or `s3://` URL with versions of `core`. Only the manifest is read here: Trino reads the files.
   */
  from: string;
  /** Rebuilds everything. @default false */
  isFull?: boolean;
}

/**
 * Builds the published version of `core` on a Nessie branch, checks the result there, and publishes it
 * atomically. If a check of severity `error` failed, the branch stays for inspection.
 */
export async function buildOnTrino(
  workspace: Workspace,
  { from, isFull = false }: TrinoBuildFlags,
): Promise<TrinoBuildResult> {
  const { signal } = workspace;
  const core = await readCoreVersion(await openStorage(from, { signal }));
  return await withCluster(workspace, async (cluster) => {
    const { trino, nessie } = cluster;
    await beginBranch(nessie);
    const changed = await prepareBranch(workspace, cluster, { from, core });
    const options = { ...buildSettings(workspace), isFull: isFull || changed === undefined };
    const built = await buildVersion(cluster, options, changed);
    const checks = [
      ...(await runChecks(trino, { days: "unpublished", playsAtOnce, signal })),
      ...(await checkCustom(workspace, cluster)),
    ];
    if (checks.some(isError)) return { built, checks, isShown: false };
    // Later publishes may have removed the version's files during the build.
    await assertRegistered(trino);
    await assertThisBranch(trino, built.version, options.builtAt);
    await writePublished(trino, built.version, workspace.clock.now());
    workspace.state.runs.assertLock();
    await revealBranch(nessie, { ...built, softwareVersion: softwareVersion() });
    return { built, checks, isShown: true };
  });
}

/** Makes `core` readable on the branch. @returns the changed days; `undefined` if every day may have changed */
async function prepareBranch(
  { signal }: Workspace,
  { trino, template }: Cluster,
  { from, core: { folder, manifest } }: { from: string; core: CoreInRoot },
): Promise<readonly ChangedDay[] | undefined> {
  await assertComplete(template, manifest);
  await createCoreTables(trino, template);
  const changed = await findChangedDays(trino, manifest);
  const location = `${resolveTrinoLocation(from)}/${folder}`;
  await registerCore(trino, { catalog: catalogs.core, manifest, location, signal });
  return changed;
}

async function buildVersion(
  { trino }: Cluster,
  options: Omit<BuildOptions, "version" | "groupIds">,
  changed: readonly ChangedDay[] | undefined,
): Promise<BuildSummary> {
  const known = await trino.all<{ version: string }>("select version from core.version");
  const version = incrementVersion(known.map((row) => row.version));
  return await runBuild(createBranchWorkbench(trino, changed), { ...options, version });
}

/** Runs only the checks, on all days of the latest build, whether or not readers see it. */
export async function checkOnTrino(workspace: Workspace): Promise<CheckResult[]> {
  return await withCluster(workspace, async (cluster) => {
    const { trino } = cluster;
    await assertBuilt(createBranchWorkbench(trino));
    await assertRegistered(trino);
    return [
      ...(await runChecks(trino, { days: "all", playsAtOnce, signal: workspace.signal })),
      ...(await checkCustom(workspace, cluster)),
    ];
  });
}

async function checkCustom(
  { settings, signal }: Workspace,
  { trino, template }: Cluster,
): Promise<CheckResult[]> {
  return await runCustomChecks(trino, {
    ...customLimitsOf(settings),
    folder: customFolderOf(settings),
    parser: template,
    schema: "mart",
    signal,
  });
}
