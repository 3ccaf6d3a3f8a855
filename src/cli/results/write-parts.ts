import { resolve } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import { writeReportFile } from "../../report/format/write-report.ts";
import { ReportOptionError } from "../../report/options/option-error.ts";
import { chooseColumns } from "../../report/options/output-format.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import { runReport } from "../../report/run-report.ts";
import { splitReport } from "../../report/split/split-report.ts";
import { joinWords } from "../../report/text/readable-text.ts";
import { countOf } from "../../util/text/words.ts";
import type { CliContext } from "../cli-context.ts";
import { type ReportTarget, withVersion } from "./print-rows.ts";

/** Maximum number of files named in a note. */
const namedFiles = 3;

/** Writes one file per value of `by`, all from one published version, and prints their paths. */
export async function writeParts(
  context: CliContext,
  { format, out, bom = false, raw = false, columns, ...version }: ReportTarget,
  options: ReportRequest,
  by: string,
): Promise<void> {
  const { io, logger, signal, settings } = context;
  if (out === undefined || out === "-")
    throw new ReportOptionError(
      "--split",
      `--split ${by} writes several files. Name them with --out, as in --out lists/{${by}}.xlsx.`,
    );
  const tempDir = new DataFolder(settings.get("VENUE_DATA_DIR")).temp;
  const now = context.clock().now();
  await withVersion(context, version, async (mart) => {
    const { parts, notes: notesOfAll } = await splitReport(mart, options, { by, out }, now);
    for (const note of notesOfAll) logger.info(`Note: ${note}`);
    const notes = new Map<string, string[]>();
    for (const { file, request } of parts) {
      const made = await runReport(mart, request, now);
      const report = columns === undefined ? made : chooseColumns(made, columns);
      const path = resolve(io.workingFolder, file);
      await writeReportFile(report, path, { format, bom, raw, signal, tempDir });
      io.stdout.write(`${path}\n`);
      for (const note of report.notes)
        if (!notesOfAll.includes(note)) notes.set(note, [...(notes.get(note) ?? []), file]);
    }
    for (const [note, files] of notes) {
      const of = files.length === parts.length ? "" : ` for ${joinWords(files, "and", namedFiles)}`;
      logger.info(`Note${of}: ${note}`);
    }
    logger.info(`${countOf(parts.length, "file")} written, one per ${by}`);
  });
}
