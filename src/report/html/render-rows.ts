import { readableText } from "../columns/readable-text.ts";
import { figureOf } from "../figures.ts";
import type { ReportColumn, ReportRow } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import { isNumeric } from "../text/cell-text.ts";
import { truncate } from "../text/display-text.ts";
import { type Html, html } from "./html.ts";

/** Of one cell's text; a name of 20,000 characters would bury the rows around it. */
const longestText = 300;

/** Where the value of a column in a row leads, if anywhere. */
export type CellLink = (column: ReportColumn, row: ReportRow) => string | undefined;

/** The report's table. Numbers carry themselves unformatted, for sorting. */
export function renderRows(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  caption: string,
  report?: ReportName,
  hrefOf: CellLink = () => undefined,
): Html {
  const kinds = columns.map((column) => cellClass(column, columns));
  return html`<table data-rows><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(
    (column, index) =>
      html`<th scope="col" class="${kinds[index]}">${figureOf(column.name, report).label}</th>`,
  )}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column, index) => cell(row, index, column, kinds[index] ?? "", hrefOf(column, row)))}</tr>\n`)}</tbody></table>`;
}

function cell(
  row: ReportRow,
  index: number,
  column: ReportColumn,
  kind: string,
  href: string | undefined,
): Html {
  const value = row[index] ?? null;
  if (value === null) return html`<td class="${kind}"></td>`;
  const text = readableText(value, column, row);
  if (isNumeric(column))
    return html`<td class="${kind}" data-value="${String(value)}">${linked(text, href)}</td>`;
  if (column.type === "text")
    return html`<td class="${kind}"><bdi>${linked(truncate(text, longestText), href)}</bdi></td>`;
  return html`<td class="${kind}">${linked(text, href)}</td>`;
}

/** A name of nothing but blanks could not be pointed at. */
function linked(text: string, href: string | undefined): Html {
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}">${text.trim() === "" ? "(no name)" : text}</a>`;
}

function cellClass(column: ReportColumn, columns: readonly ReportColumn[]): string {
  if (isNumeric(column)) return isBesideName(column, columns) ? "number id" : "number";
  const kind = column.type === "text" ? "text" : "moment";
  return column === columns.find(isRowName) ? `${kind} name` : kind;
}

/** Stays in sight while the table is scrolled sideways. */
function isRowName({ name, type }: ReportColumn): boolean {
  return name.endsWith("_name") || type === "date";
}

/** A number that says which one it is, beside a column that says it in words. */
function isBesideName({ name }: ReportColumn, columns: readonly ReportColumn[]): boolean {
  const [, subject] = /^(\w+)_(?:id|key)$/.exec(name) ?? [];
  return subject !== undefined && columns.some((column) => column.name === `${subject}_name`);
}
