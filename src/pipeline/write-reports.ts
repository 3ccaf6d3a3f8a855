import { join } from "node:path";
import { parseReportOptions, type ReportWords } from "../report/parse-report-options.ts";
import { runReport } from "../report/run-report.ts";
import { writeReportFile } from "../report/write-report.ts";
import { withPublished } from "./with-published.ts";
import type { Workspace } from "./workspace.ts";

/** What the reports of a run cover, as typed; all of it optional. */
export type ReportSelection = Pick<ReportWords, "from" | "to" | "group">;

/** The reports that every run writes, each as CSV for spreadsheets and Markdown for people. */
const runReports: ReportWords[] = [{ report: "plays", by: ["zone", "kind"] }, { report: "quality" }];
const formats = ["csv", "md"] as const;

/** Writes the reports of the published version into `reports/<date of now, UTC>/`; answers the files. */
export async function writeReports(workspace: Workspace, selection: ReportSelection): Promise<string[]> {
  const { settings, folder, clock, signal } = workspace;
  const target = join(folder.reports, clock.now().toISOString().slice(0, 10));
  return await withPublished(settings, signal, async (mart) => {
    const files: string[] = [];
    for (const words of runReports) {
      for (const format of formats) {
        const report = await runReport(mart, parseReportOptions({ ...words, ...selection }), clock.now());
        const file = join(target, `${words.report}.${format}`);
        await writeReportFile(report, file, { format, signal });
        files.push(file);
      }
    }
    return files;
  });
}
