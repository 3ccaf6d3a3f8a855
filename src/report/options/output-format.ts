import { extname } from "node:path";
import { type FormatName, findFormatByExtension, formatExtensions, formatNames } from "../formats.ts";
import type { Report, ReportColumn, ReportRow } from "../result-types.ts";
import { ReportOptionError, requireWord } from "./option-error.ts";

export interface TypedOutputOptions {
  format?: string;
  out?: string;
  bom?: boolean;
  raw?: boolean;
}

/** @throws {ReportOptionError} when options contradict each other, or the extension has no format */
export function parseOutputFormat({ bom = false, raw = false, ...words }: TypedOutputOptions): FormatName {
  const format = chooseFormat(words);
  if (raw && format !== "xlsx")
    throw new ReportOptionError(
      "--raw",
      `--raw only applies to XLSX, but the output is ${format}. Remove it.`,
    );
  if (!bom || format === "csv") return format;
  throw new ReportOptionError("--bom", `--bom only applies to CSV, but the output is ${format}. Remove it.`);
}

function chooseFormat({ format, out = "" }: TypedOutputOptions): FormatName {
  const extension = extname(out).slice(1);
  const implied = findFormatByExtension(extension);
  if (format === undefined) {
    if (extension === "" || implied !== undefined) return implied ?? "table";
    throw new ReportOptionError(
      "--out",
      `--out (${out}) has no known format. Use one of the extensions ${formatExtensions.join(", ")}, or add --format.`,
    );
  }
  const requested = requireWord("--format", format, formatNames);
  if (implied === undefined || implied === requested) return requested;
  throw new ReportOptionError(
    "--out",
    `--out (${out}) implies the format ${implied}, but --format is ${requested}. Remove one of them.`,
  );
}

/** @throws {ReportOptionError} when the report lacks a column */
export function chooseColumns(report: Report, words: readonly string[]): Report {
  const { columns, rows } = report;
  const known = columns.map(({ name }) => name);
  const requested = words.flatMap((word) => word.split(",")).map((word) => word.trim());
  const positions = [...new Set(requested)].map((name) =>
    known.indexOf(requireWord("--columns", name, known)),
  );
  return {
    ...report,
    columns: positions.flatMap((position) => withoutMark(columns[position])),
    isOrdered: true,
    rows: pickValues(rows, positions),
  };
}

/** Removes a column's suffix, because it reads columns that may not be requested. */
function withoutMark(column: ReportColumn | undefined): ReportColumn[] {
  if (column === undefined) return [];
  const { mark: _mark, ...others } = column;
  return [others];
}

async function* pickValues(
  rows: Report["rows"],
  positions: readonly number[],
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) yield positions.map((position) => row[position] ?? null);
}
