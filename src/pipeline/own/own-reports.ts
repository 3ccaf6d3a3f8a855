import { rmSync } from "node:fs";
import { join } from "node:path";
import { ownFolderOf, ownLimitsOf } from "../../config/data-folder.ts";
import { limitOwn } from "../../mart/own/own-file.ts";
import { takesFilter, takesPeriod } from "../../report/catalog/report-entry.ts";
import { writeWholeFile } from "../../report/format/write-report.ts";
import { renderFailure } from "../../report/html/render-failure.ts";
import type { IndexEntry } from "../../report/html/render-index.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import type { ReportWords } from "../../report/options/parse-request.ts";
import type { ReportRequest } from "../../report/options/report-options.ts";
import { hasOwnPage, listOwnReports } from "../../report/own/list-own-reports.ts";
import { createOwnEntry } from "../../report/own/own-entry.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { withPublished } from "../../report/published/with-published.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type ReportFiles, runFormats, writeReportFiles } from "../write-report-files.ts";

const formats = [...runFormats, "xlsx"] as const;

/** Optional filters for the reports of a run, as typed. */
export type ReportSelection = Pick<ReportWords, "from" | "to" | "group">;

/** An own report of a run. */
export interface WrittenOwn {
  name: string;
  files: string[];
  entry: IndexEntry;
  /** The reason why its page has no rows. */
  problem?: string;
}

interface Target extends Omit<ReportFiles, "base" | "formats" | "signal"> {
  version: string;
}

/**
 * Writes the own reports, each over the published version in a database of its own, with limits of time and
 * memory. A report that fails gets a page with the reason, and stops nothing.
 */
export async function writeOwnReports(
  workspace: Workspace,
  selection: ReportSelection,
  target: Target,
): Promise<WrittenOwn[]> {
  const written: WrittenOwn[] = [];
  for (const own of listOwnReports(ownFolderOf(workspace.settings)))
    written.push(await writeOwnReport(workspace, own, selection, target));
  return written;
}

async function writeOwnReport(
  workspace: Workspace,
  own: OwnReport,
  selection: ReportSelection,
  target: Target,
): Promise<WrittenOwn> {
  const { name, title } = own;
  const entry: IndexEntry = { name, title, page: undefined };
  try {
    const options = parseReportOptions({ report: name, own, ...selectionFor(own, selection) });
    const { files, page } = await writeOwnFiles(workspace, options, own, target);
    return { name, files, entry: { ...entry, page, hasWorkbook: true } };
  } catch (error) {
    workspace.signal.throwIfAborted();
    const problem = getErrorMessage(error);
    const failed = { name, entry: { ...entry, problem }, problem };
    // Without a usable name, its page could replace another one.
    if (!hasOwnPage(own)) return { ...failed, files: [], entry: { ...failed.entry, hasPage: false } };
    const fileOf = (format: string) => join(target.target, `${name}.${format}`);
    for (const format of formats) rmSync(fileOf(format), { force: true });
    await writeWholeFile(fileOf("html"), renderFailure(own, { ...target, reason: problem }));
    return { ...failed, files: [fileOf("html")] };
  }
}

async function writeOwnFiles(
  { settings, signal }: Workspace,
  options: ReportRequest,
  own: OwnReport,
  { version, ...target }: Target,
): ReturnType<typeof writeReportFiles> {
  const bounds = limitOwn(own, ownLimitsOf(settings));
  const limited = AbortSignal.any([signal, bounds.signal]);
  const write = (mart: PublishedMart) =>
    writeReportFiles(mart, options, { ...target, base: own.name, formats, signal: limited });
  try {
    return await withPublished(settings, limited, write, { asOf: version });
  } finally {
    bounds.stop();
  }
}

/** Drops the options that the report does not take. */
function selectionFor(own: OwnReport, { group, ...period }: ReportSelection): ReportSelection {
  const entry = createOwnEntry(own);
  return { ...(takesPeriod(entry) && period), ...(takesFilter(entry, "group", []) && group && { group }) };
}
