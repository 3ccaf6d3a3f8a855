import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../build/run-checks.ts";
import { customFolderOf } from "../config/data-folder.ts";
import { catalog } from "../report/catalog/catalog.ts";
import { takesPeriod } from "../report/catalog/report-entry.ts";
import { hasCustomPage, listCustomReports } from "../report/custom/list-custom-reports.ts";
import { removePartialFiles, writeWholeFile } from "../report/format/write-report.ts";
import { type IndexEntry, renderIndex } from "../report/html/render-index.ts";
import { parseReportOptions } from "../report/options/parse-report-options.ts";
import type { TypedOptions } from "../report/options/parse-request.ts";
import { withAvailabilityTarget } from "../report/options/request-options.ts";
import { buildOverview } from "../report/overview/overview.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import { withPublished } from "../report/published/with-published.ts";
import type { UnfinishedWork } from "../state/data/runs.ts";
import { swapLink } from "../util/files/durable-files.ts";
import { addDays, isLocalDate } from "../util/local-date.ts";
import { VenueError } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type BuildResult, build } from "./build.ts";
import { closeCollection, type SyncOptions } from "./collect.ts";
import { type ReportSelection, type WrittenCustom, writeCustomReports } from "./custom/custom-reports.ts";
import { loadFromStore } from "./load-from-store.ts";
import { collectAndLoad } from "./sync.ts";
import {
  listCollectorWork,
  listUnfinishedWork,
  type StoreLoadResult,
  type SyncResult,
} from "./sync-result.ts";
import { runFormats, writeReportFiles } from "./write-formats.ts";

export interface RunOptions extends SyncOptions {
  reports: ReportSelection;
  /** Reports in addition to those of every run. */
  extraReports?: readonly RunReport[];
  /** Passed to the build. @default false */
  acceptLoss?: boolean;
  /** Landing store to load from, instead of collecting. */
  from?: string | undefined;
}

export interface RunResult {
  /** Loads of a sync, or of landings in a store. */
  loaded: SyncResult | StoreLoadResult;
  /** Absent if every source failed for the same reason. */
  build?: BuildResult;
  /** Reports on the published version; absent if a check prevented the publish. */
  reports?: WrittenReports;
}

/**
 * Runs the scheduled job: collect, load, build, check, publish, report. A failed source doesn't stop the run.
 * If a run is killed, the next one continues it.
 */
export async function run(workspace: Workspace, options: RunOptions): Promise<RunResult> {
  if (options.from !== undefined) return await runFromStore(workspace, { ...options, from: options.from });
  const sync = await collectAndLoad(workspace, options);
  if (sync.nothing) return { loaded: sync };
  const built = await buildAndReport(workspace, options, listUnfinishedWork(sync));
  closeCollection(workspace, options, sync);
  return { loaded: sync, ...built };
}

/** Loads what collectors left in a store, and does the rest of the scheduled job. */
async function runFromStore(
  workspace: Workspace,
  options: RunOptions & { from: string },
): Promise<RunResult> {
  const loaded = await loadFromStore(workspace, { takeOver: false, ...options });
  return { loaded, ...(await buildAndReport(workspace, options, listCollectorWork(loaded.collectors))) };
}

async function buildAndReport(
  workspace: Workspace,
  options: RunOptions,
  unfinished: readonly UnfinishedWork[],
): Promise<Pick<RunResult, "build" | "reports">> {
  const built = await build(workspace, { acceptLoss: options.acceptLoss ?? false });
  const reports =
    built.published &&
    (await writeReports(workspace, options.reports, {
      unfinished,
      extraReports: options.extraReports ?? [],
      checks: built.checks,
    }));
  return { build: built, ...(reports && { reports }) };
}

interface RunReport extends Pick<TypedOptions, "by"> {
  report: keyof typeof catalog;
  /** Base name of its files. @default the report's name */
  file?: string;
}

/** Reports of every run, in the order of the index page. `delivery` is added if any plays are booked. */
export const runReports: readonly RunReport[] = [
  { report: "plays", by: ["zone", "kind"] },
  { report: "compliance", by: ["campaign"] },
  { report: "schedule" },
  { report: "uptime", by: ["zone"] },
  { report: "outages" },
  { report: "devices" },
  { report: "quality" },
];

/** Adds the report `delivery` if any plays are booked. */
async function listRunReports(mart: PublishedMart): Promise<RunReport[]> {
  const [found] = await mart.all<{ lines: number }>("select count(*) as lines from dim_campaign_target");
  return [...runReports, ...(Number(found?.lines ?? 0) > 0 ? [{ report: "delivery" } as const] : [])];
}

export interface WrittenReports {
  /** Page that links to the other files. `reports/latest/index.html` is the latest run's. */
  index: string;
  /** All files, including the index. */
  files: string[];
  custom: readonly WrittenCustom[];
}

interface WriteOptions {
  unfinished?: readonly UnfinishedWork[];
  /** Reports in addition to those of every run. */
  extraReports?: readonly RunReport[];
  /** Checks of the build; the index shows the custom ones. */
  checks?: readonly CheckResult[];
}

/** Writes reports on the published version to `reports/<UTC date>/`, and points `reports/latest` there. */
export async function writeReports(
  workspace: Workspace,
  selection: ReportSelection,
  { unfinished, extraReports = [], checks = [] }: WriteOptions = {},
): Promise<WrittenReports> {
  const { settings, folder, clock, signal } = workspace;
  // One instant for all reports, so that they cover the same days.
  const now = clock.now();
  const date = now.toISOString().slice(0, 10);
  const target = join(folder.reports, date);
  const latest = join(folder.reports, "latest");
  if (lstatSync(latest, { throwIfNoEntry: false })?.isDirectory()) throw latestFolderError(latest);
  const write = async (mart: PublishedMart): Promise<WrittenReports> => {
    const listed = await listRunReports(mart);
    const siblings = {
      reports: listed.map(({ report }) => report),
      custom: listCustomReports(customFolderOf(settings)).filter(hasCustomPage),
    };
    const files: string[] = [];
    const entries: IndexEntry[] = [];
    const shared = { target, siblings, now };
    for (const { file, ...words } of [...listed, ...extraReports]) {
      const parsed = parseReportOptions({ ...words, ...selectionFor(words.report, selection) });
      const options = withAvailabilityTarget(parsed, settings);
      const base = file ?? words.report;
      const written = await writeReportFiles(mart, options, { ...shared, base, formats: runFormats, signal });
      files.push(...written.files);
      entries.push({ name: words.report, file: base, title: written.title, page: written.page });
    }
    const custom = await writeCustomReports(workspace, selection, { ...shared, version: mart.version });
    files.push(...custom.flatMap((report) => report.files));
    const index = join(target, "index.html");
    await writeWholeFile(
      index,
      renderIndex({
        date,
        dataAsOf: mart.dataAsOf,
        version: mart.version,
        entries,
        custom: custom.map(({ entry }) => entry),
        checks: checks.flatMap(({ file, ...check }) => (file === undefined ? [] : { file, ...check })),
        overview: await buildOverview(mart, now, settings.get("VENUE_FRESHNESS")),
      }),
    );
    removePartialFiles(folder.reports);
    workspace.state.runs.assertLock();
    swapLink(latest, date);
    removeOldFolders(folder.reports, date);
    return { index, files: [...files, index], custom };
  };
  return await withPublished(settings, signal, write, { unfinished });
}

const keptDays = 90;

/** Removes the reports of runs that were more than `keptDays` before a date. */
function removeOldFolders(folder: string, date: string): void {
  const first = addDays(date, -keptDays);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && isLocalDate(entry.name) && entry.name < first)
      rmSync(join(folder, entry.name), { recursive: true });
}

/** Returns the filters for a report, without the period if the report is about the present or the future. */
function selectionFor(report: keyof typeof catalog, { group, ...period }: ReportSelection): ReportSelection {
  const entry = catalog[report];
  return { ...(group && { group }), ...(takesPeriod(entry) && !entry.isAhead && period) };
}

/** Returns the error for a folder at the path of the link to the latest reports. */
function latestFolderError(path: string): VenueError {
  return new VenueError(
    "LATEST_IS_FOLDER",
    "usage",
    `No reports were written: ${path} is a folder instead of a link, probably created by a copy program. Remove that folder, and run ` +
      "this again.",
  );
}
