import { type BuildSummary, buildMart } from "../build/build-mart.ts";
import { buildSettings } from "../build/build-settings.ts";
import { assertBuilt } from "../build/built-models.ts";
import { runCustomChecks } from "../build/custom-checks.ts";
import { countDirtyDates } from "../build/dirty-days.ts";
import { type CheckResult, isError, runChecks } from "../build/run-checks.ts";
import { createWarehouseWorkbench } from "../build/workbench.ts";
import { customFolderOf, customLimitsOf } from "../config/data-folder.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { prepareCore } from "../load/prepare-core.ts";
import { listReferenceProblems } from "../load/reference/check-reference.ts";
import { listUnreadFiles } from "../load/reference/unread-files.ts";
import { type PublishSummary, publishMart } from "../publish/publish-mart.ts";
import { prepareNextVersion } from "../publish/versions/next-version.ts";
import { countOf } from "../util/text/words.ts";
import { withMart } from "../workspace/warehouse.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";
import { describeCustom } from "./custom/describe-custom.ts";
import { warnOfSpellings, warnOfUnknown } from "./reference/check-reference.ts";

/** Result of a build and its checks, and of the publish, which is absent if a check found an error. */
export interface BuildResult {
  built: BuildSummary;
  checks: CheckResult[];
  /** Reference files that were not applied, and why. */
  referenceProblems: string[];
  published?: PublishSummary;
}

export interface BuildFlags {
  /** Rebuilds everything. @default false */
  isFull?: boolean;
  /** Publishes even if readers lose data that they see now. @default false */
  acceptLoss?: boolean;
}

/**
 * Rebuilds changed days, checks them, and publishes them unless a check of severity `error` failed.
 * @throws {VenueError} `LOST_DATA` if the warehouse lacks published data, and `acceptLoss` is false
 */
export async function build(
  workspace: Workspace,
  { isFull = false, acceptLoss = false }: BuildFlags = {},
): Promise<BuildResult> {
  const { settings, folder, state, clock, signal, logger } = workspace;
  return await withWarehouse(workspace, async (warehouse) => {
    const version = await prepareNextVersion(folder.published, warehouse);
    const reference = await prepareCore(warehouse, folder.reference);
    for (const { message } of listUnreadFiles(folder.reference)) logger.warn(message);
    warnOfSpellings(reference, logger);
    const built = await buildMart(warehouse, {
      ...buildSettings(workspace),
      ...{ version, isFull, groupIds: settings.find("VENUE_GROUP_IDS") ?? [] },
    });
    await warnOfUnknown(reference, warehouse, logger);
    const checks = [
      ...(await runChecks(warehouse, { days: "unpublished", signal })),
      ...(await checkCustom(warehouse, workspace)),
    ];
    const result = { built, checks, referenceProblems: listReferenceProblems(reference) };
    if (checks.some(isError)) return result;
    const target = { publishedFolder: folder.published, version: built.version, now: clock.now() };
    const published = await publishMart(warehouse, {
      ...target,
      acceptLoss,
      custom: await describeCustom(warehouse, customFolderOf(settings)),
      signal,
      beforeReveal: () => state.runs.assertLock(),
      logger,
    });
    return { ...result, published };
  });
}

/** Runs only the checks, on the latest build. */
export async function check(workspace: Workspace): Promise<CheckResult[]> {
  return await withWarehouse(workspace, async (warehouse) => {
    await assertBuilt(createWarehouseWorkbench(warehouse));
    const dirty = await countDirtyDates(warehouse);
    if (dirty > 0)
      workspace.logger.warn(
        `${countOf(dirty, "day")} changed since the last build and can't be checked yet. Run \`venue build\` first.`,
      );
    return [
      ...(await runChecks(warehouse, { days: "all", signal: workspace.signal })),
      ...(await checkCustom(warehouse, workspace)),
    ];
  });
}

async function checkCustom(warehouse: DuckDb, { settings, signal }: Workspace): Promise<CheckResult[]> {
  const options = { ...customLimitsOf(settings), folder: customFolderOf(settings), signal };
  return await withMart(warehouse, (mart) => runCustomChecks(mart, { ...options, parser: mart }));
}
