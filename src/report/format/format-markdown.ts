import { harmlessText } from "../../util/text/escaping.ts";
import { changeMark } from "../columns/change-parts.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import { cellText, isNumeric } from "../text/cell-text.ts";
import { headingOf, rowCount } from "./heading.ts";

/** A table as GitHub reads it, under a heading. Names are shown as they are, whatever markup they hold. */
export async function* formatMarkdown(report: Report): AsyncIterable<string> {
  const { columns, rows } = report;
  const { title, details } = headingOf(report);
  yield `## ${escapeMarkup(title)}\n\n${escapeMarkup(details)}\n\n`;
  for (const note of report.notes) yield `Note: ${escapeMarkup(note)}\n\n`;
  yield line(columns.map(({ name }) => escapeMarkup(name)));
  yield line(columns.map((column) => (isNumeric(column) ? "--:" : "---")));
  let count = 0;
  for await (const row of rows) {
    yield line(columns.map((column, index) => cell(row, index, column)));
    count += 1;
  }
  yield `\n${rowCount(count)}\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function cell(row: ReportRow, index: number, column: ReportColumn): string {
  const value = row[index] ?? null;
  return escapeMarkup(changeMark(value, column) ?? cellText(value, column, row));
}

function escapeMarkup(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*~[\]|]/g, "\\$&")
    // Within a word an underscore is only itself.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_");
  return harmlessText(escaped, "<br>");
}
