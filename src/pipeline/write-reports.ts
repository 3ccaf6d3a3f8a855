import { basename, join } from "node:path";
import { writeReportFile, writeTextFile } from "../report/format/write-report.ts";
import type { IndexEntry } from "../report/html/render-index.ts";
import { renderIndex } from "../report/html/render-index.ts";
import { withAvailabilityTarget } from "../report/options/availability-target.ts";
import { parseReportOptions, type ReportWords } from "../report/options/parse-report-options.ts";
import { makeOverview } from "../report/overview/overview.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import { withPublished } from "../report/published/with-published.ts";
import { reports } from "../report/reports.ts";
import { runReport } from "../report/run-report.ts";
import type { UnfinishedWork } from "../state/runs.ts";
import { swapLink } from "../util/durable-files.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the reports of a run cover, as typed; all of it optional. */
export type ReportSelection = Pick<ReportWords, "from" | "to" | "group">;

/** The reports that every run writes, in the order of its index page. */
const runReports: readonly (Pick<ReportWords, "by"> & { report: keyof typeof reports })[] = [
  { report: "plays", by: ["zone", "kind"] },
  { report: "compliance", by: ["campaign"] },
  { report: "uptime", by: ["zone"] },
  { report: "outages" },
  { report: "devices" },
  { report: "quality" },
];

/** CSV for spreadsheets, a page and Markdown for people. The page names the CSV, which is written before it. */
const formats = ["csv", "md", "html"] as const;

export interface WrittenReports {
  /** Links to the others; a reader who opens `reports/latest/index.html` finds the newest run's. */
  index: string;
  /** All files, the index among them. */
  files: string[];
}

/** Writes the reports of the published version into `reports/<date of now, UTC>/`, and points `reports/latest` there. */
export async function writeReports(
  workspace: Workspace,
  selection: ReportSelection,
  unfinished?: readonly UnfinishedWork[],
): Promise<WrittenReports> {
  const { settings, folder, clock, signal } = workspace;
  const date = clock.now().toISOString().slice(0, 10);
  const target = join(folder.reports, date);
  const write = async (mart: PublishedMart): Promise<WrittenReports> => {
    const files: string[] = [];
    const entries: IndexEntry[] = [];
    for (const words of runReports) {
      const asked = parseReportOptions({ ...words, ...selectionFor(words.report, selection) });
      const options = withAvailabilityTarget(asked, settings);
      const written = await writeReportFiles(workspace, mart, options, join(target, words.report));
      files.push(...written.files);
      entries.push(written.entry);
    }
    const index = join(target, "index.html");
    await writeTextFile(
      index,
      renderIndex({
        date,
        dataAsOf: mart.dataAsOf,
        version: mart.version,
        entries,
        overview: await makeOverview(mart, clock.now()),
      }),
    );
    swapLink(join(folder.reports, "latest"), date);
    return { index, files: [...files, index] };
  };
  return await withPublished(settings, signal, write, { unfinished });
}

/** @param path without its ending */
async function writeReportFiles(
  { clock, signal }: Workspace,
  mart: PublishedMart,
  options: ReturnType<typeof parseReportOptions>,
  path: string,
): Promise<{ files: string[]; entry: IndexEntry }> {
  const csvFile = `${basename(path)}.csv`;
  const pagesBeside = runReports.map(({ report }) => report);
  const files: string[] = [];
  let entry: IndexEntry = { name: options.report, title: options.report, page: undefined };
  for (const format of formats) {
    const report = await runReport(mart, options, clock.now());
    const file = `${path}.${format}`;
    await writeReportFile(report, file, { format, signal, csvFile, pagesBeside });
    files.push(file);
    if (format === "html") entry = { ...entry, title: report.title, page: await report.describe?.() };
  }
  return { files, entry };
}

/** A report about now has no period. */
function selectionFor(report: keyof typeof reports, { group, ...period }: ReportSelection): ReportSelection {
  return { ...(group && { group }), ...(reports[report].takesPeriod === false ? {} : period) };
}
