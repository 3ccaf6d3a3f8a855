import type { Report, ReportColumn, ReportValue } from "../report.ts";
import type { FormatOptions } from "./formatter.ts";

/**
 * RFC 4180: a header line, CRLF, quotes where needed; UTF-8, with a byte order mark where it is asked for. Null is an empty field, an
 * empty text is `""`.
 *
 * A spreadsheet runs a cell that begins with = + - @ (or a tab, line feed or carriage return before one) as a formula, and
 * names of zones and songs are free text. Such texts get a leading apostrophe; numbers and dates are left alone.
 */
export async function* formatCsv(
  { columns, rows }: Report,
  { bom = false }: FormatOptions = {},
): AsyncIterable<string> {
  if (bom) yield "\ufeff";
  yield `${columns.map(({ name }) => textField(name)).join(",")}\r\n`;
  for await (const row of rows) {
    yield `${columns.map((column, index) => field(row[index] ?? null, column)).join(",")}\r\n`;
  }
}

function field(value: ReportValue, { type }: ReportColumn): string {
  if (value === null) return "";
  return type === "text" ? textField(String(value)) : String(value);
}

function textField(text: string): string {
  const harmless = /^[=+\-@\t\n\r]/.test(text) ? `'${text}` : text;
  return harmless === "" || /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
