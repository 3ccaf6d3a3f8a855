import { isId } from "../../columns/people-order.ts";
import type { ColumnType, ReportColumn, ReportRow } from "../../report.ts";
import { cellXml, textCell } from "./cell-xml.ts";

/** A sheet of a workbook. */
export interface Sheet {
  /** Unique; at most 31 characters. */
  name: string;
  columns: readonly ReportColumn[];
  /** With the header; counted while the rows are written. */
  rowCount: number;
}

/** Characters of Excel's that a column of a type takes; its header may need more. */
const widths: Readonly<Partial<Record<ColumnType, number>>> = {
  text: 24,
  date: 11,
  instant: 21,
  local_time: 20,
};

/** A part `xl/worksheets/….xml`: a header that stays in sight, with a filter on each column, and the rows below. */
export async function* sheetXml(
  sheet: Sheet,
  rows: AsyncIterable<ReportRow> | Iterable<ReportRow>,
): AsyncIterable<string> {
  const { columns } = sheet;
  const letters = columns.map((_column, index) => columnLetters(index));
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.map(widthXml).join("")}</cols><sheetData>` +
    `<row r="1">${columns.map(({ name }, index) => textCell(`${letters[index]}1`, name, "header")).join("")}</row>`;
  sheet.rowCount = 1;
  for await (const row of rows) {
    sheet.rowCount += 1;
    const number = sheet.rowCount;
    let cells = "";
    for (const [index, column] of columns.entries()) {
      cells += cellXml(`${letters[index]}${number}`, row[index] ?? null, column);
    }
    yield `<row r="${number}">${cells}</row>`;
  }
  yield `</sheetData><autoFilter ref="${rangeOf(sheet)}"/>${ignoredErrors(sheet)}</worksheet>`;
}

/** E.g. `A1:C12`: the header and all rows. */
export function rangeOf({ columns, rowCount }: Sheet): string {
  return `A1:${columnLetters(columns.length - 1)}${rowCount}`;
}

/** `A` of the first, `AA` of the 27th. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Excel lets nobody change a column that is wider than 255; a query's column may be called by a whole expression. */
const greatestWidth = 60;

function widthXml({ name, type }: ReportColumn, index: number): string {
  // The button of the filter takes some of it.
  const width = Math.min(Math.max(widths[type] ?? 0, name.length + 4), greatestWidth);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}

/** Excel would mark each id as a number that is stored as a text. */
function ignoredErrors({ columns, rowCount }: Sheet): string {
  const ranges = columns.flatMap((column, index) =>
    isId(column) ? [`${columnLetters(index)}1:${columnLetters(index)}${rowCount}`] : [],
  );
  if (ranges.length === 0) return "";
  return `<ignoredErrors><ignoredError sqref="${ranges.join(" ")}" numberStoredAsText="1"/></ignoredErrors>`;
}
