import { resolve } from "node:path";
import { Option } from "commander";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { type FormatName, formatNames, isBinary } from "../../report/formats.ts";
import { ReportOptionError } from "../../report/options/report-option-error.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { Report } from "../../report/report.ts";
import type { CliContext } from "../cli-context.ts";

export interface ReportTarget {
  format: FormatName;
  /** A file instead of stdout. */
  out?: string;
  /** A byte order mark before a CSV. */
  bom?: boolean;
  /** @default those of the command line */
  settings?: Settings;
  /** A version, e.g. `v000007`. @default what readers see now */
  asOf?: string;
  /** Aborted when it takes too long. */
  limit?: AbortSignal;
}

/** Of every command that prints a report. The words are for help and completion. */
export function formatOption(): Option {
  const option = new Option(
    "--format <format>",
    "form of the output (default: the one that --out names, else table)",
  );
  option.argChoices = [...formatNames];
  return option;
}

/** Of every command that prints a report. */
export function outOption(): Option {
  return new Option("--out <file>", "write to a file instead of stdout: its ending names the format");
}

/** Of every command that prints a report. */
export function bomOption(): Option {
  return new Option("--bom", "begin a CSV with a byte order mark, for spreadsheets that need one");
}

/** Of every command that prints a report. */
export function asOfOption(): Option {
  return new Option(
    "--as-of <version>",
    "what a former version said, e.g. v000007: of those still published, or of `venue lake history`",
  );
}

/** The format that was asked for; `--json` of the whole program asks for rows as JSON, too. */
export function formatWord({ options }: CliContext, format: string | undefined): { format?: string } {
  const word = format ?? (options.json ? "json" : undefined);
  return word === undefined ? {} : { format: word };
}

/** Makes a report of what is published, and writes it to stdout or a file; its notes go to stderr. */
export async function printReport(
  context: CliContext,
  { settings = context.settings, asOf, limit, ...target }: ReportTarget,
  make: (mart: PublishedMart) => Promise<Report>,
): Promise<void> {
  refuseBinary(target, context.io);
  const body = async (mart: PublishedMart) => await writeOut(context, target, await make(mart));
  const { logger } = context;
  const signal = AbortSignal.any([context.signal, ...(limit ? [limit] : [])]);
  if (settings.get("VENUE_ENGINE") === "trino") {
    const { withShown } = await import("../../report/published/with-shown.ts");
    await withShown(settings, { asOf, signal, logger }, body);
  } else {
    const { withPublished } = await import("../../report/published/with-published.ts");
    await withPublished(settings, signal, body, { asOf });
  }
}

/** Writes a report to stdout or a file; its notes go to stderr. */
async function writeOut(
  { signal, logger, io, settings }: CliContext,
  { format, out, bom = false }: Omit<ReportTarget, "settings" | "asOf">,
  report: Report,
): Promise<void> {
  const { writeReport, writeReportFile } = await import("../../report/format/write-report.ts");
  const isTerminal = io.stdout.isTTY === true;
  const tempDir = new DataFolder(settings.get("VENUE_DATA_DIR")).temp;
  for (const note of report.notes) logger.info(`Note: ${note}`);
  if (out === undefined) {
    const width = isTerminal && io.stdout.columns !== undefined ? { width: io.stdout.columns } : {};
    const useColour = isTerminal && !io.environment.NO_COLOR && io.environment.TERM !== "dumb";
    await writeReport(report, io.stdout, {
      format,
      bom,
      signal,
      useColour,
      showBars: isTerminal,
      tempDir,
      ...width,
    });
  } else {
    const file = resolve(io.workingFolder, out);
    await writeReportFile(report, file, { format, bom, signal, tempDir });
    logger.info(`Written to ${file}`);
  }
}

/** Before anything is read. @throws {ReportOptionError} when a terminal would be written to */
function refuseBinary(
  { format, out }: Pick<ReportTarget, "format" | "out">,
  { stdout }: CliContext["io"],
): void {
  if (out !== undefined || stdout.isTTY !== true || !isBinary(format)) return;
  throw new ReportOptionError(
    "--format",
    `A terminal can't show the format ${format}. Write it to a file with --out FILE, or pipe it.`,
  );
}
