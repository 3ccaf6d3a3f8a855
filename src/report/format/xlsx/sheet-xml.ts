import { isId } from "../../columns/readable-order.ts";
import type { ColumnType, ReportRow, ReportValue } from "../../result-types.ts";
import type { SheetColumn } from "./readable-columns.ts";

export interface Sheet {
  /** Unique, at most 31 characters. */
  name: string;
  columns: readonly SheetColumn[];
  /** Includes the header; counted while the rows are written. */
  rowCount: number;
}

/** Column widths by type, in Excel's characters; a header may need more. */
const widths: Readonly<Partial<Record<ColumnType, number>>> = {
  text: 24,
  date: 11,
  instant: 21,
  local_time: 20,
};

/** Streams a part `xl/worksheets/….xml`: a frozen header with a filter on each column, and the rows. */
export async function* renderSheet(
  sheet: Sheet,
  rows: AsyncIterable<ReportRow> | Iterable<ReportRow>,
): AsyncIterable<string> {
  const { columns } = sheet;
  const letters = columns.map((_column, index) => toColumnLetters(index));
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.map(renderWidth).join("")}</cols><sheetData>` +
    `<row r="1">${columns.map(({ name, header = name }, index) => renderTextCell(`${letters[index]}1`, header, "header")).join("")}</row>`;
  sheet.rowCount = 1;
  for await (const row of rows) {
    sheet.rowCount += 1;
    const number = sheet.rowCount;
    let cells = "";
    for (const [index, column] of columns.entries()) {
      cells += renderCell(`${letters[index]}${number}`, row[index] ?? null, column, row);
    }
    yield `<row r="${number}">${cells}</row>`;
  }
  yield `</sheetData><autoFilter ref="${formatRange(sheet)}"/>${renderIgnoredErrors(sheet)}</worksheet>`;
}

/** E.g. `A1:C12`: the header and all rows. */
export function formatRange({ columns, rowCount }: Sheet): string {
  return `A1:${toColumnLetters(columns.length - 1)}${rowCount}`;
}

/** `A` for index 0, `AA` for 26. */
function toColumnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toColumnLetters(Math.floor(index / 26) - 1) + last;
}

/**
 * Limits column widths, because the name of a query's column may be a long expression, and Excel users cannot resize
 * columns wider than 255.
 */
const maxWidth = 60;

function renderWidth({ name, header = name, type }: SheetColumn, index: number): string {
  // The width leaves room for the filter button.
  const width = Math.min(Math.max(widths[type] ?? 0, header.length + 4), maxWidth);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}

/** Suppresses Excel's warnings about ids, which are numbers stored as text. */
function renderIgnoredErrors({ columns, rowCount }: Sheet): string {
  const ranges = columns.flatMap((column, index) =>
    isId(column) ? [`${toColumnLetters(index)}1:${toColumnLetters(index)}${rowCount}`] : [],
  );
  if (ranges.length === 0) return "";
  return `<ignoredErrors><ignoredError sqref="${ranges.join(" ")}" numberStoredAsText="1"/></ignoredErrors>`;
}

/** Excel calculates in doubles and shows 15 digits, so longer numbers are written as text to keep every digit. */
const maxNumber = 10 ** 15;
/** First correct serial number, 1 March 1900. The one before it is 29 February 1900, a day that did not exist. */
const firstSerial = 61;
/** 31 December 9999. */
const lastSerial = 2_958_465;
/** In seconds. Excel stores a time span as a date counted from its first day, so spans must end by its last day. */
const longestSpan = lastSerial * 86_400;
const serialOf1970 = 25_569;
const dayMs = 86_400_000;

/**
 * Renders a cell. Numbers and dates are written as numbers; ids are written as text, because ids are never summed.
 * Values that Excel cannot calculate with (a date before 1900-03-01, infinity) become text; null becomes an empty cell.
 */
function renderCell(reference: string, value: ReportValue, column: SheetColumn, row: ReportRow): string {
  if (value === null) return "";
  if (typeof value === "boolean") return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const style = chooseStyle(column);
  const number = toNumber(value, column);
  if (number === undefined) {
    const mark = column.mark?.(row);
    return renderTextCell(reference, mark === undefined ? String(value) : `${value} (${mark})`, style);
  }
  return `<c r="${reference}"${renderStyle(style)}><v>${number}</v></c>`;
}

function renderTextCell(reference: string, text: string, style?: CellStyle): string {
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : "";
  return `<c r="${reference}" t="inlineStr"${renderStyle(style)}><is><t${space}>${escapeXml(text)}</t></is></c>`;
}

/** Returns `undefined` if the value must be text. */
function toNumber(value: string | number | bigint, column: SheetColumn): number | undefined {
  if (column.span !== undefined && Math.abs(Number(value)) < longestSpan)
    return Number(value) / (column.span === "change in hours" ? 3600 : 86_400);
  switch (column.type) {
    case "date":
      return toSerial(`${value}T00:00:00Z`);
    case "instant":
      return toSerial(String(value));
    case "local_time":
      return toSerial(`${value}Z`);
    case "integer":
      return isId(column) || Math.abs(Number(value)) >= maxNumber ? undefined : Number(value);
    case "number":
      // A string is a decimal with too many digits for a double.
      if (typeof value === "string") return undefined;
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    case "share":
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    default:
      return undefined;
  }
}

/** Converts an instant to a spreadsheet's serial number: days with fractions, without a time zone. */
function toSerial(instant: string): number | undefined {
  const serial = Date.parse(instant) / dayMs + serialOf1970;
  return serial >= firstSerial && serial < lastSerial + 1 ? serial : undefined;
}

function chooseStyle(column: SheetColumn): CellStyle | undefined {
  if (column.span !== undefined) return column.span;
  if (isId(column)) return "text";
  return column.type === "share" ||
    column.type === "date" ||
    column.type === "instant" ||
    column.type === "local_time"
    ? column.type
    : undefined;
}

function renderStyle(style: CellStyle | undefined): string {
  return style === undefined ? "" : ` s="${getStyleIndex(style)}"`;
}

/** Excel's limit per cell, in UTF-16 units. */
const maxTextLength = 32_767;

/** Characters that XML 1.0 cannot represent, and the carriage return, which XML parsers read as a line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** Underscore of text that looks like such an escape, or will look like one once the next character is escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const escapeLookalike = /_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000b-\u001f])/g;

/**
 * Escapes text for an XML element in a workbook. Workbooks write control characters as e.g. `_x000D_`, so
 * text that looks like such an escape is escaped too. Text beyond a cell's limit is truncated, never inside
 * a surrogate pair.
 */
export function escapeXml(text: string): string {
  const shown =
    text.length > maxTextLength
      ? `${text.slice(0, maxTextLength - 1).replace(/[\ud800-\udbff]$/, "")}…`
      : text;
  return shown
    .replace(escapeLookalike, "_x005F_")
    .replace(unwritable, (character) => {
      const code = character.charCodeAt(0);
      return code < 32 ? `_x${code.toString(16).toUpperCase().padStart(4, "0")}_` : "\ufffd";
    })
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Number formats of cell styles. Times are shown as written: instants in UTC, with a Z. */
const formats = {
  general: undefined,
  header: undefined,
  text: "@",
  share: "0.0%",
  date: "yyyy\\-mm\\-dd",
  instant: 'yyyy\\-mm\\-dd\\ hh:mm:ss"Z"',
  local_time: "yyyy\\-mm\\-dd\\ hh:mm:ss",
  "hours and minutes": "[h]:mm",
  "with seconds": "[h]:mm:ss",
  "change in hours": "0.00",
} as const;

type CellStyle = keyof typeof formats;

const styles = Object.keys(formats) as CellStyle[];
/** First number of custom formats; lower numbers are Excel's built-in formats. */
const firstFormat = 164;
const boldFont = 1;

/** Returns a style's index in `xl/styles.xml`. */
function getStyleIndex(style: CellStyle): number {
  return styles.indexOf(style);
}

export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<numFmts count="${styles.length}">${styles.map(renderNumberFormat).join("")}</numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${styles.length}">${styles.map(renderCellFormat).join("")}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function renderNumberFormat(style: CellStyle, index: number): string {
  const code = formats[style] ?? "General";
  return `<numFmt numFmtId="${firstFormat + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`;
}

function renderCellFormat(style: CellStyle, index: number): string {
  const font = style === "header" ? boldFont : 0;
  return `<xf numFmtId="${firstFormat + index}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
}
