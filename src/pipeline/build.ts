import { type BuildSummary, buildMart } from "../build/build-mart.ts";
import { buildSettings } from "../build/build-settings.ts";
import { requireBuilt } from "../build/built-models.ts";
import { countDirtyDates } from "../build/dirty-days.ts";
import type { FillSummary } from "../build/lake/fill-core.ts";
import { type CheckResult, isError, runChecks } from "../build/run-checks.ts";
import { onWarehouse } from "../build/workbench.ts";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { prepareCore } from "../load/prepare-core.ts";
import { type PublishSummary, publishMart } from "../publish/publish-mart.ts";
import { nextVersion } from "../publish/versions/next-version.ts";
import { countOf } from "../util/text/words.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";

/** What a build made, what the checks found in it, and what was published: nothing, when an error was found. */
export interface BuildResult {
  /** Of a build from a lake. */
  filled?: FillSummary;
  built: BuildSummary;
  checks: CheckResult[];
  published?: PublishSummary;
}

export interface BuildFlags {
  /** The folder of a lake whose machines' data is built, in place of what was loaded here. */
  lake?: string | undefined;
  /** Rebuilds everything. @default false */
  isFull?: boolean;
  /** Publishes though readers lose what they see now. @default false */
  acceptLoss?: boolean;
}

/**
 * Rebuilds what changed, checks it, and publishes it unless a check of severity `error` found something.
 * @throws {VenueError} `LOST_DATA` when the warehouse lacks what is published, and that is not accepted
 */
export async function build(
  workspace: Workspace,
  { lake, isFull = false, acceptLoss = false }: BuildFlags = {},
): Promise<BuildResult> {
  const { folder, state, clock, signal, logger } = workspace;
  const body = async (warehouse: DuckDb): Promise<BuildResult> => {
    // First: what it settles clears, too, which machines a lake has lost by then.
    const version = await nextVersion(folder.published, warehouse);
    const source: Pick<BuildResult, "filled"> = {};
    if (lake === undefined) await prepareCore(warehouse, folder.reference);
    else {
      // Takes a while to load, and most builds need none of it.
      const { fillFromLake } = await import("./fill-from-lake.ts");
      source.filled = await fillFromLake(warehouse, workspace, { lake, isFull });
    }
    const built = await buildVersion(warehouse, workspace, { version, isFull, isOfLake: lake !== undefined });
    const checks = await runChecks(warehouse, { days: "unpublished", signal });
    if (checks.some(isError)) return { ...source, built, checks };
    const target = { publishedFolder: folder.published, version: built.version, now: clock.now() };
    const published = await publishMart(warehouse, {
      ...target,
      acceptLoss,
      isRetracted: (source.filled?.gone.length ?? 0) > 0,
      signal,
      beforeReveal: () => state.runs.assertLock(),
      logger,
    });
    return { ...source, built, checks, published };
  };
  return await withWarehouse(workspace, body, lake === undefined ? ["loads"] : ["loads", "lake"]);
}

/** The checks alone, over what was built last. */
export async function check(workspace: Workspace): Promise<CheckResult[]> {
  return await withWarehouse(
    workspace,
    async (warehouse) => {
      await requireBuilt(onWarehouse(warehouse));
      const dirty = await countDirtyDates(warehouse);
      if (dirty > 0)
        workspace.logger.warn(
          `${countOf(dirty, "day")} changed since the last build and can't be checked yet: run \`venue build\`.`,
        );
      return await runChecks(warehouse, { days: "all", signal: workspace.signal });
    },
    ["loads", "lake"],
  );
}

async function buildVersion(
  warehouse: DuckDb,
  workspace: Workspace,
  { version, isFull, isOfLake }: { version: string; isFull: boolean; isOfLake: boolean },
): Promise<BuildSummary> {
  const { settings } = workspace;
  return await buildMart(warehouse, {
    ...buildSettings(workspace),
    version,
    // Those of the lake's machines are in core.
    ...(isOfLake ? {} : { groupIds: settings.find("VENUE_GROUP_IDS") ?? [] }),
    isFull,
  });
}
