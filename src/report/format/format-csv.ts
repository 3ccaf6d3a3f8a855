import type { Report, ReportColumn, ReportValue } from "../report.ts";
import { singleLine } from "../text/display-text.ts";
import type { FormatOptions } from "./formatter.ts";

/**
 * RFC 4180: a header line, CRLF, quotes where needed; UTF-8, with a byte order mark where it is asked for. Null is an empty field, an
 * empty text is `""`.
 *
 * A spreadsheet runs a cell that begins with = + - @ as a formula, and names of zones and songs are free text. Such texts
 * get a leading apostrophe, also with full-width forms of these signs, and with blank or invisible characters in front,
 * which spreadsheets drop; numbers and dates are left alone. On a terminal control characters are made visible.
 */
export async function* formatCsv(
  { columns, rows }: Report,
  { bom = false, isTerminal = false }: FormatOptions = {},
): AsyncIterable<string> {
  if (bom) yield "\ufeff";
  const shown = isTerminal ? singleLine : (text: string) => text;
  yield `${columns.map(({ name }) => textField(name, shown)).join(",")}\r\n`;
  for await (const row of rows) {
    yield `${columns.map((column, index) => field(row[index] ?? null, column, shown)).join(",")}\r\n`;
  }
}

function field(value: ReportValue, { type }: ReportColumn, shown: (text: string) => string): string {
  if (value === null) return "";
  return type === "text" ? textField(String(value), shown) : String(value);
}

/** Signs that begin a formula, in all their widths, after what a spreadsheet drops or does not show. */
const formulaStart =
  /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

function textField(text: string, shown: (text: string) => string): string {
  const harmless = `${formulaStart.test(text) ? "'" : ""}${shown(text)}`;
  return harmless === "" || /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
