import { resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { FormatName } from "../report/formats.ts";
import type { PublishedMart } from "../report/published-mart.ts";
import type { Report } from "../report/report.ts";
import type { CliContext } from "./cli-context.ts";

export interface ReportTarget {
  format: FormatName;
  /** A file instead of stdout. */
  out?: string;
  /** @default those of the command line */
  settings?: Settings;
}

/** Makes a report of what is published, and writes it to stdout or a file; its notes go to stderr. */
export async function printReport(
  context: CliContext,
  { format, out, settings = context.settings }: ReportTarget,
  make: (mart: PublishedMart) => Promise<Report>,
): Promise<void> {
  const { withPublished } = await import("../pipeline/with-published.ts");
  const { writeReport, writeReportFile } = await import("../report/write-report.ts");
  const { signal, logger, io } = context;
  await withPublished(settings, signal, async (mart) => {
    const report = await make(mart);
    for (const note of report.notes) logger.info(`Note: ${note}`);
    if (out === undefined) {
      const isTerminal = io.stdout.isTTY === true;
      const width = isTerminal && io.stdout.columns !== undefined ? { width: io.stdout.columns } : {};
      const useColour = isTerminal && !io.environment.NO_COLOR;
      await writeReport(report, io.stdout, { format, signal, useColour, ...width });
    } else {
      const file = resolve(io.workingFolder, out);
      await writeReportFile(report, file, { format, signal });
      logger.info(`Written to ${file}`);
    }
  });
}
