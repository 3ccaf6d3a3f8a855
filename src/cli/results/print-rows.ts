import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { Option } from "commander";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { type FormatName, formatNames, isBinary } from "../../report/formats.ts";
import { ReportOptionError } from "../../report/options/option-error.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import { withVersionOf } from "../../report/published/with-version-of.ts";
import type { Report } from "../../report/result-types.ts";
import { collect, localPath } from "../arguments.ts";
import type { CliContext } from "../cli-context.ts";

export interface ReportTarget {
  format: FormatName;
  out?: string;
  /** Starts a CSV with a byte order mark. */
  bom?: boolean;
  /** Writes column names and seconds to a workbook, instead of labels and hours. */
  raw?: boolean;
  /** Shows every column, regardless of the terminal's width. */
  wide?: boolean;
  /** Names of the columns to show. @default all */
  columns?: readonly string[];
  /** @default the command line's settings */
  settings?: Settings;
  /** A version, e.g. `v000007`. @default the current version */
  asOf?: string;
  /** Aborted when the query exceeds a limit. */
  limit?: AbortSignal;
}

export function outputOptions(): Option[] {
  const format = new Option(
    "--format <format>",
    "output format (default: from the extension of --out, otherwise table)",
  );
  // Only for help and completion: `parseOutputFormat` rejects other values.
  format.argChoices = [...formatNames];
  return [
    format,
    new Option(
      "--out <file>",
      "write to a file instead of stdout (-); its extension selects the format",
    ).argParser(localPath),
    new Option("--columns <names>", "only these columns, in this order; comma-separated").argParser(collect),
    new Option("--wide", "show every column on a terminal, however wide"),
    new Option("--bom", "begin a CSV with a byte order mark, for spreadsheets that need one"),
    new Option("--as-of <version>", "report from an earlier version, e.g. v000007"),
  ];
}

/** Returns the requested format; the global `--json` also requests rows as JSON. */
export function chooseFormat({ options }: CliContext, format: string | undefined): { format?: string } {
  const word = format ?? (options.json ? "json" : undefined);
  return word === undefined ? {} : { format: word };
}

/** Creates a report from published data and writes it to stdout or a file; its notes go to stderr. */
export async function printReport(
  context: CliContext,
  { settings, asOf, limit, out, ...form }: ReportTarget,
  make: (mart: PublishedMart) => Promise<Report>,
): Promise<void> {
  const target = out === undefined || out === "-" ? form : { ...form, out };
  assertTerminalCanShow(target, context.io);
  await withVersion(context, { settings, asOf, limit }, async (mart) => {
    await writeOut(context, target, await make(mart));
  });
}

interface VersionTarget {
  settings?: Settings | undefined;
  asOf?: string | undefined;
  limit?: AbortSignal | undefined;
}

/**
 * Opens one published version, from the local folder or a cluster. If `body` fails on an unknown attribute, the
 * error explains how to define it.
 */
export async function withVersion(
  context: CliContext,
  { settings = context.settings, asOf, limit }: VersionTarget,
  body: (mart: PublishedMart) => Promise<void>,
): Promise<void> {
  const { logger } = context;
  const signal = AbortSignal.any([context.signal, ...(limit ? [limit] : [])]);
  try {
    await withVersionOf(settings, { asOf, signal, logger }, body);
  } catch (error) {
    const { UnknownAttributeError } = await import("../../report/options/find-attributes.ts");
    if (!(error instanceof UnknownAttributeError)) throw error;
    const { suggestColumn } = await import("../../pipeline/reference/suggest-column.ts");
    const suggestion = await suggestColumn(settings, error);
    throw new ReportOptionError(error.option, `${error.message} ${suggestion}`.trimEnd());
  }
}

async function writeOut(
  { signal, logger, io, settings }: CliContext,
  { format, out, columns, bom = false, raw = false, wide = false }: Omit<ReportTarget, "settings" | "asOf">,
  made: Report,
): Promise<void> {
  const { chooseColumns } = await import("../../report/options/output-format.ts");
  const report = columns === undefined ? made : chooseColumns(made, columns);
  const { writeReport, writeReportFile } = await import("../../report/format/write-report.ts");
  const isTerminal = io.stdout.isTTY === true;
  const tempDir = new DataFolder(settings.get("VENUE_DATA_DIR")).temp;
  const logNotes = () => {
    // On a terminal, this line is already shown above the table.
    const { isPossible, summary } = report.comparison ?? {};
    const isHeadlineShown = isTerminal && out === undefined && format === "table" && isPossible;
    for (const note of report.notes) if (!isHeadlineShown || note !== summary) logger.info(`Note: ${note}`);
  };
  // On a terminal, notes follow the report, where they stay visible.
  if (!isTerminal) logNotes();
  if (out === undefined) {
    const width = isTerminal && io.stdout.columns ? { width: io.stdout.columns } : {};
    const useColour = isTerminal && !io.environment.NO_COLOR && io.environment.TERM !== "dumb";
    await writeReport(report, io.stdout, {
      format,
      bom,
      raw,
      signal,
      useColour,
      isTerminal,
      isWide: wide,
      tempDir,
      ...width,
    });
  } else {
    const file = resolve(io.workingFolder, out);
    await writeReportFile(report, file, { format, bom, raw, signal, tempDir });
    logger.info(`Written to ${file}`);
  }
  if (isTerminal) logNotes();
}

/** Rejects a binary format on a terminal before any data is read. @throws {ReportOptionError} */
function assertTerminalCanShow(
  { format, out }: Pick<ReportTarget, "format" | "out">,
  { stdout }: CliContext["io"],
): void {
  if (out !== undefined || stdout.isTTY !== true || !isBinary(format)) return;
  throw new ReportOptionError(
    "--format",
    `A terminal can't show the format ${format}. Write it to a file with --out FILE, or pipe it.`,
  );
}

/** Writes pieces as they arrive, and waits whenever the stream's buffer is full. */
export async function writePieces(
  stream: Writable,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (piece !== "" && !stream.write(piece)) await waitForDrain(stream, signal);
  }
}

function waitForDrain(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    stream.once("drain", () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}
