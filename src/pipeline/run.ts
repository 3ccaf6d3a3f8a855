import type { Workspace } from "../workspace/workspace.ts";
import { type BuildResult, build } from "./build.ts";
import { collect, endCollection, type SyncOptions } from "./sync.ts";
import { type SyncResult, unfinishedOf } from "./sync-result.ts";
import { type ReportSelection, type WrittenReports, writeReports } from "./write-reports.ts";

export interface RunOptions extends SyncOptions {
  reports: ReportSelection;
  /** As of a build. @default false */
  acceptLoss?: boolean;
}

export interface RunResult {
  sync: SyncResult;
  /** None where the service gave nothing at all, for one reason. */
  build?: BuildResult;
  /** Report files of the version that was published; none where a check stopped it. */
  reports?: WrittenReports;
}

/**
 * The scheduled job: collect, load, build, check, publish, report. What could not be collected stops
 * nothing; killed at any step, the next run goes on with the same work.
 */
export async function run(workspace: Workspace, options: RunOptions): Promise<RunResult> {
  const synced = await collect(workspace, options);
  if (synced.nothing) return { sync: synced };
  const built = await build(workspace, { acceptLoss: options.acceptLoss ?? false });
  const reports = built.published && (await writeReports(workspace, options.reports, unfinishedOf(synced)));
  endCollection(workspace, options, synced);
  return { sync: synced, build: built, ...(reports && { reports }) };
}
