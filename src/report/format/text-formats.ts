import { sanitizeText } from "../../util/text/escaping.ts";
import { formatChange } from "../columns/readable-order.ts";
import type { Report, ReportColumn, ReportRow, ReportValue } from "../result-types.ts";
import { formatCellText, isNumeric, toSingleLine } from "../text/cell-text.ts";
import { type FormatOptions, formatHeading, formatRowCount } from "./formatter.ts";

/**
 * Streams a CSV (RFC 4180) in UTF-8: a header line, CRLF, quotes where needed, and a byte order mark on request. Null
 * is an empty field, an empty string is `""`.
 *
 * A spreadsheet runs a cell that begins with = + - @ as a formula, and zone and song names are free text. Such text
 * gets a leading apostrophe, even if the sign is full-width or follows blank or invisible characters, which
 * spreadsheets ignore. Numbers and dates are unchanged. On a terminal, control characters are made visible.
 */
export async function* formatCsv(
  { columns, rows }: Pick<Report, "columns" | "rows">,
  { bom = false, isTerminal = false }: FormatOptions = {},
): AsyncIterable<string> {
  if (bom) yield "\ufeff";
  const clean = isTerminal ? toSingleLine : (text: string) => text;
  yield `${columns.map(({ name }) => formatTextField(name, clean)).join(",")}\r\n`;
  for await (const row of rows) {
    yield `${columns.map((column, index) => formatField(row[index] ?? null, column, clean)).join(",")}\r\n`;
  }
}

function formatField(value: ReportValue, { type }: ReportColumn, clean: (text: string) => string): string {
  if (value === null) return "";
  return type === "text" ? formatTextField(String(value), clean) : String(value);
}

/**
 * Matches text that a spreadsheet would run as a formula: a sign in any width, even after characters that the
 * spreadsheet ignores or hides.
 */
const formulaStart =
  /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

export function formatTextField(text: string, clean: (text: string) => string): string {
  const escaped = `${formulaStart.test(text) ? "'" : ""}${clean(text)}`;
  return escaped === "" || /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** Streams row objects, one per line. Numbers keep all their digits; NaN and infinity become null. */
export async function* formatJson({ columns, rows }: Report): AsyncIterable<string> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let separator = "[\n";
  for await (const row of rows) {
    const members = names.map(
      (name, index) => `${name}:${formatJsonValue(row[index] ?? null, columns[index])}`,
    );
    yield `${separator}{${members.join(",")}}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

function formatJsonValue(value: ReportValue, column: ReportColumn | undefined): string {
  const isNumber = typeof value === "bigint" || (typeof value === "string" && column?.type === "number");
  return isNumber ? String(value) : JSON.stringify(value);
}

/** Streams a GitHub-flavoured Markdown table. Names are escaped, so their markup has no effect. */
export async function* formatMarkdown(report: Report): AsyncIterable<string> {
  const { columns, rows } = report;
  const { title, details } = formatHeading(report);
  yield `## ${escapeMarkup(title)}\n\n${escapeMarkup(details)}\n\n`;
  for (const note of report.notes) yield `Note: ${escapeMarkup(note)}\n\n`;
  yield formatLine(columns.map(({ name }) => escapeMarkup(name)));
  yield formatLine(columns.map((column) => (isNumeric(column) ? "--:" : "---")));
  let count = 0;
  for await (const row of rows) {
    yield formatLine(columns.map((column, index) => formatCell(row, index, column)));
    count += 1;
  }
  yield `\n${formatRowCount(count)}\n`;
}

function formatLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function formatCell(row: ReportRow, index: number, column: ReportColumn): string {
  const value = row[index] ?? null;
  return escapeMarkup(formatChange(value, column) ?? formatCellText(value, column, row));
}

function escapeMarkup(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*~[\]|]/g, "\\$&")
    // Markdown does not treat an underscore within a word as markup.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_");
  return sanitizeText(escaped, "<br>");
}
