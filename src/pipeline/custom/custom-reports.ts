import { rmSync } from "node:fs";
import { join } from "node:path";
import { customFolderOf, customLimitsOf } from "../../config/data-folder.ts";
import { limitCustom } from "../../mart/custom/custom-file.ts";
import { takesFilter, takesPeriod } from "../../report/catalog/report-entry.ts";
import { createCustomEntry } from "../../report/custom/custom-entry.ts";
import type { CustomReport } from "../../report/custom/custom-report.ts";
import { hasCustomPage, listCustomReports } from "../../report/custom/list-custom-reports.ts";
import { writeWholeFile } from "../../report/format/write-report.ts";
import { renderFailure } from "../../report/html/render-failure.ts";
import type { IndexEntry } from "../../report/html/render-index.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import type { TypedOptions } from "../../report/options/parse-request.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { withPublished } from "../../report/published/with-published.ts";
import { getErrorMessage } from "../../util/venue-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type ReportFiles, runFormats, writeReportFiles } from "../write-formats.ts";

const formats = [...runFormats, "xlsx"] as const;

/** Optional filters for the reports of a run, as typed. */
export type ReportSelection = Pick<TypedOptions, "from" | "to" | "group">;

/** A custom report of a run. */
export interface WrittenCustom {
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
 * Writes the custom reports, each on the published version in a separate database, with limits on time and
 * memory. A report that fails gets a page with the reason, and does not stop the others.
 */
export async function writeCustomReports(
  workspace: Workspace,
  selection: ReportSelection,
  target: Target,
): Promise<WrittenCustom[]> {
  const written: WrittenCustom[] = [];
  for (const custom of listCustomReports(customFolderOf(workspace.settings)))
    written.push(await writeCustomReport(workspace, custom, selection, target));
  return written;
}

async function writeCustomReport(
  workspace: Workspace,
  custom: CustomReport,
  selection: ReportSelection,
  target: Target,
): Promise<WrittenCustom> {
  const { name, title } = custom;
  const entry: IndexEntry = { name, title, page: undefined };
  try {
    const options = parseReportOptions({ report: name, custom, ...selectionFor(custom, selection) });
    const { files, page } = await writeCustomFiles(workspace, options, custom, target);
    return { name, files, entry: { ...entry, page, hasWorkbook: true } };
  } catch (error) {
    workspace.signal.throwIfAborted();
    const problem = getErrorMessage(error);
    const failed = { name, entry: { ...entry, problem }, problem };
    // Without a usable name, its page could replace another one.
    if (!hasCustomPage(custom)) return { ...failed, files: [], entry: { ...failed.entry, hasPage: false } };
    const fileOf = (format: string) => join(target.target, `${name}.${format}`);
    for (const format of formats) rmSync(fileOf(format), { force: true });
    await writeWholeFile(fileOf("html"), renderFailure(custom, { ...target, reason: problem }));
    return { ...failed, files: [fileOf("html")] };
  }
}

async function writeCustomFiles(
  { settings, signal }: Workspace,
  options: ReportRequest,
  custom: CustomReport,
  { version, ...target }: Target,
): ReturnType<typeof writeReportFiles> {
  const bounds = limitCustom(custom, customLimitsOf(settings));
  const limited = AbortSignal.any([signal, bounds.signal]);
  const write = (mart: PublishedMart) =>
    writeReportFiles(mart, options, { ...target, base: custom.name, formats, signal: limited });
  try {
    return await withPublished(settings, limited, write, { asOf: version });
  } finally {
    bounds.stop();
  }
}

/** Drops the options that the report does not accept. */
function selectionFor(custom: CustomReport, { group, ...period }: ReportSelection): ReportSelection {
  const entry = createCustomEntry(custom);
  return { ...(takesPeriod(entry) && period), ...(takesFilter(entry, "group", []) && group && { group }) };
}
