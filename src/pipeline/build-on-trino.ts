import { type BuildSummary, buildOn } from "../build/build-mart.ts";
import { type FillSummary, fillCore } from "../build/lake/fill-core.ts";
import { type CheckResult, runChecks } from "../build/run-checks.ts";
import { makeCoreTables } from "../build/trino/core-tables.ts";
import { onBranch } from "../build/trino/on-branch.ts";
import { registerLake } from "../build/trino/register-lake.ts";
import { connectNessie, connectTrino, trinoLocation } from "../engines/connect-cluster.ts";
import type { DuckDb } from "../engines/duckdb.ts";
import type { Nessie } from "../engines/nessie/nessie.ts";
import type { TrinoEngine } from "../engines/trino/trino-engine.ts";
import type { MachineManifest } from "../lake/machine-manifest.ts";
import { readLake } from "../lake/read-lake.ts";
import { beginBranch, showBranch } from "../publish/branch/build-branch.ts";
import { versionAfter } from "../publish/versions/published-versions.ts";
import { writePublished } from "../publish/versions/record-published.ts";
import { softwareVersion } from "../util/package-root.ts";
import { openTemplate } from "../workspace/warehouse.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isError } from "./build.ts";
import { buildSettings } from "./build-settings.ts";
import { ruleExpander } from "./rule-expander.ts";

/** What a build on Trino made, and what the checks found in it. */
export interface TrinoBuildResult {
  filled: FillSummary;
  built: BuildSummary;
  checks: CheckResult[];
  /** Whether readers see it: not when a check found an error. */
  isShown: boolean;
  /** Trino's: what was built, and what readers see. */
  catalogs: { build: string; mart: string };
}

export interface TrinoBuildFlags {
  /** The folder of the lake whose machines' data is built. */
  lake: string;
  /** Rebuilds everything. @default false */
  isFull?: boolean;
}

/** What the steps of a build on Trino work with. */
interface Cluster {
  trino: TrinoEngine;
  nessie: Nessie;
  /** A warehouse in memory, for the shapes of tables and for parsing. */
  template: DuckDb;
}

/**
 * Builds the union of a lake's machines on a branch of Nessie's, checks it there, and shows it to readers in one instant,
 * unless a check of severity `error` found something: then the branch stays as it is, to be looked at.
 */
export async function buildOnTrino(
  workspace: Workspace,
  { lake, isFull = false }: TrinoBuildFlags,
): Promise<TrinoBuildResult> {
  const machines = readLake(lake);
  const { settings } = workspace;
  const catalogs = {
    build: settings.get("VENUE_TRINO_BUILD_CATALOG"),
    mart: settings.get("VENUE_TRINO_MART_CATALOG"),
  };
  return await withCluster(workspace, async (cluster) => {
    const { trino, nessie } = cluster;
    await beginBranch(nessie);
    const filled = await fillFromLake(workspace, cluster, { lake, machines, isFull });
    const built = await buildVersion(workspace, cluster, isFull);
    const checks = await runChecks(trino, { days: "unpublished", signal: workspace.signal });
    if (checks.some(isError)) return { filled, built, checks, catalogs, isShown: false };
    await writePublished(trino, built.version, workspace.clock.now());
    await showBranch(nessie, { ...built, softwareVersion: softwareVersion() });
    return { filled, built, checks, catalogs, isShown: true };
  });
}

async function fillFromLake(
  { settings, signal, logger }: Workspace,
  { trino, template }: Cluster,
  { lake, machines, isFull }: { lake: string; machines: readonly MachineManifest[]; isFull: boolean },
): Promise<FillSummary> {
  const isNew = await makeCoreTables(trino, template);
  const catalog = settings.get("VENUE_TRINO_CORE_CATALOG");
  await registerLake(trino, { catalog, machines, location: trinoLocation(settings, lake), signal });
  return await fillCore(trino, { rules: ruleExpander, machines, isFull: isFull || isNew, signal, logger });
}

async function buildVersion(
  workspace: Workspace,
  { trino, template }: Cluster,
  isFull: boolean,
): Promise<BuildSummary> {
  const known = await trino.all<{ version: string }>("select version from core.version");
  return await buildOn(onBranch(trino, template), {
    ...buildSettings(workspace),
    version: versionAfter(known.map(({ version }) => version)),
    isFull,
  });
}

/** The checks alone, over all days of what was built last, shown or not. */
export async function checkOnTrino(workspace: Workspace): Promise<CheckResult[]> {
  return await withCluster(workspace, ({ trino }) =>
    runChecks(trino, { days: "all", signal: workspace.signal }),
  );
}

async function withCluster<Result>(
  { settings, logger, progress, signal }: Workspace,
  body: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const nessie = connectNessie(settings, logger);
  const trino = connectTrino(settings, logger, {
    catalog: settings.get("VENUE_TRINO_BUILD_CATALOG"),
    schemas: { lake: `${settings.get("VENUE_TRINO_CORE_CATALOG")}.lake` },
    signal,
    onProgress: ({ percent, rows }) =>
      progress.show(`Trino: ${rows} rows${percent === undefined ? "" : `, ${Math.round(percent)} %`}`),
  });
  const template = await openTemplate();
  try {
    return await body({ trino, nessie, template });
  } finally {
    trino.close();
    nessie.close();
    template.close();
    progress.clear();
  }
}
