import { type BuildOptions, type BuildSummary, runBuild } from "../build/build-mart.ts";
import { buildSettings } from "../build/build-settings.ts";
import { assertBuilt } from "../build/built-models.ts";
import { type FillSummary, fillCore } from "../build/lake/fill-core.ts";
import { runOwnChecks } from "../build/own-checks.ts";
import { type CheckResult, isError, runChecks } from "../build/run-checks.ts";
import { createBranchWorkbench, createCoreTables, playsAtOnce } from "../build/trino/core-tables.ts";
import { registerLake } from "../build/trino/register-lake.ts";
import { ownFolderOf, ownLimitsOf } from "../config/data-folder.ts";
import type { MachineManifest } from "../lake/machine.ts";
import { listCoreColumns } from "../lake/read-lake.ts";
import { assertNoLostManifests, readStoredLake } from "../lake/stored-lake.ts";
import { ruleExpander } from "../load/rules/campaign-dates.ts";
import { incrementVersion } from "../mart/published-versions.ts";
import { assertOwnBranch, beginBranch, revealBranch } from "../publish/branch/build-branch.ts";
import { writePublished } from "../publish/settle-killed-publish.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { softwareVersion } from "../util/files/package-files.ts";
import { type Cluster, resolveLakeLocation, withCluster } from "../workspace/cluster.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface TrinoBuildResult {
  filled: FillSummary;
  built: BuildSummary;
  checks: CheckResult[];
  /** True if readers see the build; false if a check found an error. */
  isShown: boolean;
  /** Trino catalogs: `build` contains the build, and `mart` the version that readers see. */
  catalogs: { build: string; mart: string };
}

export interface TrinoBuildFlags {
  /** Folder or `s3://` URL of the lake to build from. Only its manifests are read here: Trino reads the files. */
  lake: string;
  /** Rebuilds everything. @default false */
  isFull?: boolean;
}

/**
 * Builds the combined data of a lake's machines on a Nessie branch, checks it there, and reveals it
 * atomically. If a check of severity `error` failed, the branch stays for inspection.
 */
export async function buildOnTrino(
  workspace: Workspace,
  { lake, isFull = false }: TrinoBuildFlags,
): Promise<TrinoBuildResult> {
  const { settings, signal } = workspace;
  const storage = await openStorage(lake, { signal });
  const machines = await readStoredLake(storage);
  const catalogs = {
    build: settings.get("VENUE_TRINO_BUILD_CATALOG"),
    mart: settings.get("VENUE_TRINO_MART_CATALOG"),
  };
  return await withCluster(workspace, async (cluster) => {
    const { trino, nessie } = cluster;
    await beginBranch(nessie);
    const filled = await fillFromLake(workspace, cluster, { storage, machines, isFull });
    const options = buildSettings(workspace);
    const built = await buildVersion(cluster, { ...options, isFull });
    const checks = [
      ...(await runChecks(trino, { days: "unpublished", playsAtOnce, signal })),
      ...(await checkOwn(workspace, cluster)),
    ];
    if (checks.some(isError)) return { filled, built, checks, catalogs, isShown: false };
    await assertOwnBranch(trino, built.version, options.builtAt);
    await writePublished(trino, built.version, workspace.clock.now());
    workspace.state.runs.assertLock();
    await revealBranch(nessie, { ...built, softwareVersion: softwareVersion() });
    return { filled, built, checks, catalogs, isShown: true };
  });
}

async function fillFromLake(
  { settings, signal, logger }: Workspace,
  { trino, template }: Cluster,
  { storage, machines, isFull }: { storage: Storage; machines: readonly MachineManifest[]; isFull: boolean },
): Promise<FillSummary> {
  const isNew = await createCoreTables(trino, template);
  const catalog = settings.get("VENUE_TRINO_CORE_CATALOG");
  const location = resolveLakeLocation(settings, storage.location);
  const coreColumns = await listCoreColumns(template);
  await registerLake(trino, { catalog, machines, coreColumns, location, signal });
  const filled = await fillCore(trino, {
    rules: ruleExpander,
    machines,
    isFull: isFull || isNew,
    signal,
    logger,
  });
  await assertNoLostManifests(storage, filled.gone);
  return filled;
}

async function buildVersion(
  { trino }: Cluster,
  options: Omit<BuildOptions, "version" | "groupIds">,
): Promise<BuildSummary> {
  const known = await trino.all<{ version: string }>("select version from core.version");
  const version = incrementVersion(known.map((row) => row.version));
  return await runBuild(createBranchWorkbench(trino), { ...options, version });
}

/** Runs only the checks, on all days of the latest build, whether or not readers see it. */
export async function checkOnTrino(workspace: Workspace): Promise<CheckResult[]> {
  return await withCluster(workspace, async (cluster) => {
    const { trino } = cluster;
    await assertBuilt(createBranchWorkbench(trino));
    return [
      ...(await runChecks(trino, { days: "all", playsAtOnce, signal: workspace.signal })),
      ...(await checkOwn(workspace, cluster)),
    ];
  });
}

async function checkOwn(
  { settings, signal }: Workspace,
  { trino, template }: Cluster,
): Promise<CheckResult[]> {
  return await runOwnChecks(trino, {
    ...ownLimitsOf(settings),
    folder: ownFolderOf(settings),
    parser: template,
    schema: "mart",
    signal,
  });
}
