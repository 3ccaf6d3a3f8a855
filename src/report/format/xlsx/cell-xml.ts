import { isId } from "../../columns/people-order.ts";
import type { ReportColumn, ReportValue } from "../../report.ts";
import { type CellStyle, styleNumber } from "./styles-xml.ts";
import { escapeXml } from "./xml-text.ts";

/** Excel counts in doubles and shows 15 digits: longer numbers are texts, so that no digit is lost. */
const tooLong = 10 ** 15;
/** Excel takes 1900 for a leap year: serial numbers are right from 1 March 1900 on. */
const firstSerial = 61;
/** 31 December 9999. */
const lastSerial = 2_958_465;
const serialOf1970 = 25_569;
const dayMs = 86_400_000;

/**
 * A value as a spreadsheet keeps it: numbers and dates to count with, ids as texts, which nobody adds up. What Excel
 * can't count with (a date before 1900-03-01, infinity) is a text. Nothing for null.
 * @param reference e.g. `C7`
 */
export function cellXml(reference: string, value: ReportValue, column: ReportColumn): string {
  if (value === null) return "";
  if (typeof value === "boolean") return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const style = styleOf(column);
  const number = countable(value, column);
  if (number === undefined) return textCell(reference, String(value), style);
  return `<c r="${reference}"${styleAttribute(style)}><v>${number}</v></c>`;
}

export function textCell(reference: string, text: string, style?: CellStyle): string {
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : "";
  return `<c r="${reference}" t="inlineStr"${styleAttribute(style)}><is><t${space}>${escapeXml(text)}</t></is></c>`;
}

/** `undefined`: it has to be a text. */
function countable(value: string | number | bigint, column: ReportColumn): number | undefined {
  switch (column.type) {
    case "date":
      return serialOf(`${value}T00:00:00Z`);
    case "instant":
      return serialOf(String(value));
    case "local_time":
      return serialOf(`${value}Z`);
    case "integer":
      return isId(column) || Math.abs(Number(value)) >= tooLong ? undefined : Number(value);
    case "number":
      // The digits of a long decimal.
      if (typeof value === "string") return undefined;
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    case "share":
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    default:
      return undefined;
  }
}

/** Days, with fractions, as spreadsheets count them; no time zone. */
function serialOf(instant: string): number | undefined {
  const serial = Date.parse(instant) / dayMs + serialOf1970;
  return serial >= firstSerial && serial < lastSerial + 1 ? serial : undefined;
}

function styleOf(column: ReportColumn): CellStyle | undefined {
  if (isId(column)) return "text";
  return column.type === "share" ||
    column.type === "date" ||
    column.type === "instant" ||
    column.type === "local_time"
    ? column.type
    : undefined;
}

function styleAttribute(style: CellStyle | undefined): string {
  return style === undefined ? "" : ` s="${styleNumber(style)}"`;
}
