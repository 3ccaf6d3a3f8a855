import { rmSync } from "node:fs";
import { join } from "node:path";
import { ownFolderOf } from "../config/data-folder.ts";
import { ownTooLong } from "../mart/own/own-file.ts";
import { createNameLinks, createSubjectLink } from "../report/address/folder-links.ts";
import { writeReportFile, writeWholeFile } from "../report/format/write-report.ts";
import type { Siblings } from "../report/html/frame/render-page.ts";
import { renderFailure } from "../report/html/render-failure.ts";
import type { IndexEntry } from "../report/html/render-index.ts";
import { parseReportOptions, type ReportWords } from "../report/options/parse-report-options.ts";
import type { ReportRequest } from "../report/options/report-options.ts";
import { listOwnReports } from "../report/own/list-own-reports.ts";
import type { OwnReport } from "../report/own/own-report.ts";
import { withPublished } from "../report/published/with-published.ts";
import { definitionOf } from "../report/reports.ts";
import { runReport } from "../report/run-report.ts";
import { QueryLimits } from "../util/query-limits.ts";
import { getErrorMessage } from "../util/venue-error.ts";
import type { Workspace } from "../workspace/workspace.ts";

const formats = ["csv", "md", "html"] as const;

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

interface Target {
  /** Output folder. */
  target: string;
  /** Pages of campaigns and zones, relative to `target`. */
  pages: ReadonlySet<string>;
  siblings: Siblings;
  version: string;
  now: Date;
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
  const fileOf = (format: string) => join(target.target, `${name}.${format}`);
  const entry: IndexEntry = { name, title, page: undefined };
  try {
    const options = parseReportOptions({ report: name, own, ...selectionFor(own, selection) });
    let page: IndexEntry["page"];
    for (const format of formats)
      page = await writeOwnFile(workspace, { ...options, format }, fileOf(format), target);
    return { name, files: formats.map(fileOf), entry: { ...entry, page } };
  } catch (error) {
    workspace.signal.throwIfAborted();
    const problem = getErrorMessage(error);
    for (const format of formats) rmSync(fileOf(format), { force: true });
    await writeWholeFile(fileOf("html"), renderFailure(own, { ...target, reason: problem }));
    return { name, files: [fileOf("html")], entry: { ...entry, problem }, problem };
  }
}

async function writeOwnFile(
  { settings, signal }: Workspace,
  options: ReportRequest & { format: (typeof formats)[number] },
  file: string,
  { pages, siblings, version, now }: Target,
): Promise<IndexEntry["page"]> {
  const { name = "", path = "" } = options.own ?? {};
  const seconds = settings.get("VENUE_OWN_SECONDS");
  const bounds = new QueryLimits({
    memoryLimit: settings.get("VENUE_MEMORY_LIMIT"),
    maxMs: seconds * 1000,
    tooLong: ownTooLong(path, seconds),
  });
  const limited = AbortSignal.any([signal, bounds.signal]);
  const link = createSubjectLink(`${name}.html`, pages);
  try {
    return await withPublished(
      settings,
      limited,
      async (mart) => {
        const report = await runReport(mart, options, now, link);
        const hrefOf = createNameLinks(report, options, link);
        const { format } = options;
        await writeReportFile(report, file, {
          format,
          signal: limited,
          csvFile: `${name}.csv`,
          siblings,
          hrefOf,
        });
        return await report.describe?.();
      },
      { asOf: version },
    );
  } finally {
    bounds.stop();
  }
}

/** Drops the options that the report does not take. */
function selectionFor(own: OwnReport, { group, ...period }: ReportSelection): ReportSelection {
  const { takesPeriod, takesPlaces } = definitionOf({ report: "own", own });
  return { ...(takesPeriod && period), ...(takesPlaces && group && { group }) };
}
