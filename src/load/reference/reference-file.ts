import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, statSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { getErrorMessage, VenueError } from "../../util/venue-error.ts";

/** A CSV file or workbook edited by an analyst. */
export interface ReferenceFile {
  path: string;
  /** Hash of the text, to detect changes. A missing file counts as empty. */
  sha256: string;
  /** `undefined` for a workbook. */
  separator: Separator | undefined;
  /** Empty without a header. */
  columns: readonly string[];
  rows: ReferenceRow[];
}

const separators = { comma: ",", semicolon: ";", tab: "\t" } as const;
export type Separator = keyof typeof separators;

export interface ReferenceRow {
  /** Line in the file, from 1. */
  lineNumber: number;
  values: Readonly<Record<string, string>>;
}

/** An invalid value and the accepted form. */
export interface LineMistake {
  lineNumber: number;
  value: string;
  accepted: string;
}

/** A line that is applied although it looks wrong. */
export interface LineWarning {
  lineNumber: number;
  message: string;
}

/**
 * Checks the columns of a file. Returns the invalid value and the accepted form, or `undefined` if all are
 * valid.
 */
export type JudgeHeader = (
  columns: readonly string[],
) => readonly [value: string, accepted: string] | undefined;

/**
 * Reads the first sheet of the workbook next to a CSV, e.g. `zone_attributes.xlsx`, or the CSV if there is no
 * workbook. Throws as `readReferenceFile` does.
 * @param path of the CSV
 * @throws {VenueError} `REFERENCE_FILE_TWICE` if the CSV has entries too
 */
export async function readFileOrWorkbook(
  path: string,
  columns: readonly string[] | JudgeHeader,
): Promise<ReferenceFile> {
  const workbook = path.replace(/\.csv$/, ".xlsx");
  if (lstatSync(workbook, { throwIfNoEntry: false }) === undefined) return readReferenceFile(path, columns);
  if (readReferenceFile(path, columns).rows.length > 0) throw twoFilesError(path, workbook);
  const bytes = readBytes(workbook);
  const { readFirstSheet } = await import("./workbook.ts");
  const rows = await readFirstSheet(bytes).catch((cause: unknown) => {
    throw noReferenceFileError(workbook, `is not an Excel workbook (${getErrorMessage(cause)})`, { cause });
  });
  const records = rows.map((fields, index) => ({ fields, lineNumber: index + 1 }));
  // Hashes the text, because a workbook has other bytes each time it is saved.
  const sha256 = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  return toReferenceFile({ path: workbook, sha256, separator: undefined }, records, columns);
}

/**
 * Reads a CSV, including as saved by a spreadsheet. The first line names the columns. Lines that
 * begin with `#`, empty lines, empty cells at the end of a line and spaces around a value are ignored.
 * @param columns the expected columns in order, or a check of those found
 * @throws {ReferenceFileError}
 * @throws {VenueError} `REFERENCE_FILE_IS_NONE`
 */
export function readReferenceFile(path: string, columns: readonly string[] | JudgeHeader): ReferenceFile {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const text = isThere ? readText(path) : "";
  const sha256 = createHash("sha256").update(text).digest("hex");
  const separator = detectSeparator(text);
  return toReferenceFile({ path, sha256, separator }, parseCsv(path, text, separator), columns);
}

function toReferenceFile(
  file: Pick<ReferenceFile, "path" | "sha256" | "separator">,
  records: readonly CsvRecord[],
  columns: readonly string[] | JudgeHeader,
): ReferenceFile {
  const { path } = file;
  const between = separators[file.separator ?? "comma"];
  const [header, ...rows] = records.filter(
    ({ fields }) => fields.some((field) => field !== "") && !fields[0]?.startsWith("#"),
  );
  if (!header) return { ...file, columns: [], rows: [] };
  const isListed = typeof columns !== "function";
  const names = withoutPadding(header.fields, isListed ? columns.length : 0);
  const accepted = `the columns ${(isListed ? columns : names).join()}${file.separator === undefined ? "" : ", separated by commas, semicolons or tabs"}`;
  const judge = isListed
    ? () => (names.join() === columns.join() ? undefined : ([names.join(between), accepted] as const))
    : columns;
  const mistake = judge(names);
  if (mistake) throw new ReferenceFileError(path, header.lineNumber, ...mistake);
  return {
    ...file,
    columns: names,
    rows: rows.map(({ fields: padded, lineNumber }) => {
      const fields = withoutPadding(padded, names.length);
      if (fields.length !== names.length)
        throw new ReferenceFileError(path, lineNumber, fields.join(between), accepted);
      return {
        lineNumber,
        values: Object.fromEntries(names.map((name, index) => [name, fields[index]?.trim() ?? ""])),
      };
    }),
  };
}

/** @throws {VenueError} `REFERENCE_FILE_IS_NONE` */
function readBytes(path: string): Buffer {
  const stats = statSync(path, { throwIfNoEntry: false });
  // If a broken link counted as a missing file, all entries of the file would silently be removed.
  if (!stats) throw noReferenceFileError(path, "is a link to a missing file");
  // Reading a pipe would wait for a writer.
  if (stats.isDirectory() || stats.isFIFO()) throw noReferenceFileError(path, "is not a file");
  return readFileSync(path);
}

/** Requires UTF-8: other bytes would silently become wrong characters. */
function readText(path: string): string {
  const bytes = readBytes(path);
  if (isUtf8(bytes)) return bytes.toString();
  const lines = bytes.toString("latin1").split("\n");
  const index = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  const value = lines[index]?.trim() ?? "";
  throw new ReferenceFileError(path, index + 1, value, "UTF-8 text (in Excel, save as “CSV UTF-8”)");
}

interface CsvRecord {
  fields: string[];
  lineNumber: number;
}

/**
 * Detects the separator in the first line with content, the header, because column names contain no
 * separators.
 */
function detectSeparator(text: string): Separator {
  const header = text.split(/\r\n|\n|\r/).find((line) => !/^\uFEFF?\s*("?#|$)/.test(line)) ?? "";
  const countOf = (name: Separator) => header.split(separators[name]).length;
  const names: Separator[] = ["comma", "semicolon", "tab"];
  return names.reduce((best, name) => (countOf(name) > countOf(best) ? name : best));
}

function parseCsv(path: string, text: string, separator: Separator): CsvRecord[] {
  let readLines = 0;
  try {
    const records = parse(text, {
      bom: true,
      comment: "#",
      // A # within a name is part of it.
      comment_no_infix: true,
      delimiter: separators[separator],
      info: true,
      on_record: (record, { lines }) => {
        readLines = lines;
        return record;
      },
      // Accepts all line ends, because by default the parser uses only the first kind it finds and drops the
      // others.
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ fields: record, lineNumber: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // After an unclosed quote, the parser reports the last line, so this looks for the line after the last
    // valid record.
    const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim());
    const index = lines.findIndex(
      (line, number) => number >= readLines && line !== "" && !line.startsWith("#"),
    );
    const accepted = `${separator}-separated values; a quoted value starts and ends with a quote, and quotes within it are doubled`;
    throw new ReferenceFileError(path, index + 1, lines[index] ?? "", accepted, { cause: error });
  }
}

/**
 * Removes empty cells at the end of a line, because spreadsheets pad each line to the length of the longest
 * one.
 */
function withoutPadding(fields: readonly string[], width: number): string[] {
  const end = fields.findLastIndex((field) => field !== "") + 1;
  return fields.slice(0, Math.max(end, width));
}

export class ReferenceFileError extends VenueError {
  readonly path: string;
  readonly lineNumber: number;

  constructor(path: string, lineNumber: number, value: string, accepted: string, options?: ErrorOptions) {
    super(
      "REFERENCE_FILE_INVALID",
      "usage",
      `${path}, line ${lineNumber}: "${value}" is invalid; expected ${accepted}. Fix the line, and run this again.`,
      options,
    );
    this.path = path;
    this.lineNumber = lineNumber;
  }
}

function twoFilesError(path: string, workbook: string): VenueError {
  return new VenueError(
    "REFERENCE_FILE_TWICE",
    "usage",
    `Both ${path} and ${workbook} have entries. Remove one of them, and run this again.`,
  );
}

/** A reference file's path is not a usable file, or is a link to a missing one. */
function noReferenceFileError(path: string, reason: string, options?: ErrorOptions): VenueError {
  return new VenueError(
    "REFERENCE_FILE_IS_NONE",
    "usage",
    `${path} ${reason}. Replace it with a ${path.endsWith(".csv") ? "CSV file" : "workbook"} or remove it, and run this again.`,
    options,
  );
}
