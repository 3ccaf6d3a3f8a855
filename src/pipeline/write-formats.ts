import { join } from "node:path";
import { writeReportFile, writeWholeFile } from "../report/format/write-report.ts";
import type { Siblings } from "../report/html/frame/render-page.ts";
import { createPage } from "../report/html/render-report.ts";
import type { ReportPage } from "../report/html/report-page.ts";
import type { ReportRequest } from "../report/options/request-options.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import { runReport } from "../report/run-report.ts";

/** CSV for spreadsheets, Markdown, and a page. CSV comes first, because the page links to it. */
export const runFormats = ["csv", "md", "html"] as const;

export interface ReportFiles {
  /** Base name. */
  base: string;
  formats: readonly ((typeof runFormats)[number] | "xlsx")[];
  /** Output folder. */
  target: string;
  siblings: Siblings;
  now: Date;
  signal: AbortSignal;
}

/** Writes a report in each format. */
export async function writeReportFiles(
  mart: PublishedMart,
  options: ReportRequest,
  { base, formats, target, siblings, now, signal }: ReportFiles,
): Promise<{ files: string[]; title: string; page: ReportPage | undefined }> {
  const files: string[] = [];
  let [title, page]: [string, ReportPage | undefined] = [base, undefined];
  for (const format of formats) {
    const report = await runReport(mart, { ...options, format }, now);
    const file = join(target, `${base}.${format}`);
    files.push(file);
    if (format !== "html") {
      await writeReportFile(report, file, { format, signal });
      continue;
    }
    const made = await createPage(report, { csvFile: `${base}.csv`, siblings });
    await writeWholeFile(file, made.text);
    [title, page] = [report.title, made.page];
  }
  return { files, title, page };
}
