import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { getErrorMessage } from "../../util/venue-error.ts";
import { noReferenceFileError, ReferenceFileError, twoFilesError } from "./errors.ts";
import { readBytes, readText } from "./read-text.ts";

/** A CSV file or workbook edited by an analyst. */
export interface ReferenceFile {
  path: string;
  /** Hash of the text, to detect changes. A missing file is treated as empty. */
  sha256: string;
  /** `undefined` for a workbook. */
  separator: Separator | undefined;
  /** Empty if there is no header. */
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
 * Checks the columns of a file. Returns the invalid value and the accepted form, or `undefined` if all columns are
 * valid.
 */
export type CheckHeader = (
  columns: readonly string[],
) => readonly [value: string, accepted: string] | undefined;

/**
 * Reads the workbook next to a CSV, e.g. `zone_attributes.xlsx`, or the CSV if there is no workbook. Of a workbook,
 * only the first sheet with content is read. Throws as `readReferenceFile` does.
 * @param path of the CSV
 * @param fewest minimum number of values in a line. @default the number of columns
 * @throws {VenueError} `REFERENCE_FILE_TWICE` if the CSV has entries too
 */
export async function readFileOrWorkbook(
  path: string,
  columns: readonly string[] | CheckHeader,
  onMistake = throwMistake,
  fewest?: number,
): Promise<ReferenceFile> {
  const workbook = path.replace(/\.csv$/, ".xlsx");
  if (lstatSync(workbook, { throwIfNoEntry: false }) === undefined)
    return readReferenceFile(path, columns, onMistake, fewest);
  if (readReferenceFile(path, columns).rows.length > 0) throw twoFilesError(path, workbook);
  const bytes = readBytes(workbook);
  const { readFilledSheet } = await import("./workbook.ts");
  const sheet = await readFilledSheet(bytes).catch((cause: unknown) => {
    throw noReferenceFileError(workbook, `is not an Excel workbook (${getErrorMessage(cause)})`, { cause });
  });
  const { rows = [], uncalculated = [] } = sheet ?? {};
  const [formula] = uncalculated;
  if (formula) {
    const accepted = "a formula with a result (open the file in a spreadsheet and save it)";
    throw new ReferenceFileError(workbook, formula.row + 1, formula.formula, accepted);
  }
  const records = rows.map((fields, index) => ({ fields, lineNumber: index + 1 }));
  // Hashes the text, because a workbook has different bytes each time it is saved.
  const sha256 = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  return toReferenceFile(
    { path: workbook, sha256, separator: undefined, sheet: sheet?.name },
    records,
    columns,
    onMistake,
    fewest,
  );
}

function throwMistake(mistake: ReferenceFileError): void {
  throw mistake;
}

/**
 * Reads a CSV, including one that a spreadsheet saved. The first line names the columns. Lines that begin with `#`,
 * empty lines, empty cells at the end of a line and spaces around a value are ignored.
 * @param columns the expected columns in order, or a check of those found
 * @param onMistake called for each line that has a wrong number of values or a formula error; the line is then left
 *    out. @default throws at the first such line
 * @throws {ReferenceFileError}
 * @throws {VenueError} `REFERENCE_FILE_IS_NONE`
 */
export function readReferenceFile(
  path: string,
  columns: readonly string[] | CheckHeader,
  onMistake = throwMistake,
  fewest?: number,
): ReferenceFile {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const text = isThere ? readText(path) : "";
  const sha256 = createHash("sha256").update(text).digest("hex");
  const separator = detectSeparator(text);
  const records = parseCsv(path, text, separator);
  return toReferenceFile({ path, sha256, separator }, records, columns, onMistake, fewest);
}

function toReferenceFile(
  { sheet, ...file }: Pick<ReferenceFile, "path" | "sha256" | "separator"> & { sheet?: string | undefined },
  records: readonly CsvRecord[],
  columns: readonly string[] | CheckHeader,
  onMistake: (mistake: ReferenceFileError) => void,
  fewest: number | undefined,
): ReferenceFile {
  const { path } = file;
  const between = separators[file.separator ?? "comma"];
  const [header, ...rows] = records.filter(
    ({ fields }) =>
      fields.some((field) => field !== "") && !/^#/.test(fields[0]?.replace(failedFormula, "") ?? ""),
  );
  if (!header) return { ...file, columns: [], rows: [] };
  const isListed = typeof columns !== "function";
  const names = withoutPadding(header.fields, isListed ? columns.length : 0);
  const accepted = `the columns ${(isListed ? columns : names).join()}${file.separator === undefined ? "" : ", separated by commas, semicolons or tabs"}`;
  const check = isListed
    ? () => (names.join() === columns.join() ? undefined : ([names.join(between), accepted] as const))
    : columns;
  const mistake = check(names);
  if (mistake) {
    const [value, expected] = mistake;
    const where = sheet === undefined ? "" : ` in the sheet "${sheet}", the first one with content`;
    throw new ReferenceFileError(path, header.lineNumber, value, expected + where);
  }
  return {
    ...file,
    columns: names,
    rows: rows.flatMap(({ fields: padded, lineNumber }) => {
      const fields = withoutPadding(padded, names.length);
      const failed = fields.find((field) => failedFormula.test(field));
      if (fields.length > names.length || fields.length < (fewest ?? names.length))
        onMistake(new ReferenceFileError(path, lineNumber, fields.join(between), accepted));
      else if (failed !== undefined)
        onMistake(
          new ReferenceFileError(path, lineNumber, failed, "a value instead of the error of a formula"),
        );
      else
        return {
          lineNumber,
          values: Object.fromEntries(names.map((name, index) => [name, fields[index]?.trim() ?? ""])),
        };
      return [];
    }),
  };
}

/** Error values of failed formulas in English and German spreadsheets. */
const failedFormula = /^#(?:N\/A|NV|NULL!|DIV\/0!|VALUE!|WERT!|REF!|BEZUG!|NAME\?|NUM!|ZAHL!)$/;

interface CsvRecord {
  fields: string[];
  lineNumber: number;
}

/**
 * Detects the separator from the header, which is the first line with content, because column names contain no
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
