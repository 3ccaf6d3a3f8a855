import { findChange, formatReadable, isFigure, isId, orderForReaders } from "../columns/readable-order.ts";
import { figureOfColumn } from "../figures.ts";
import type { ReportName } from "../report-name.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../result-types.ts";
import { isNumeric } from "../text/cell-text.ts";
import { createDistinctShortener } from "../text/distinct-shortener.ts";
import { type Html, html } from "./html.ts";

/** Maximum characters of a cell's text: a name of 20,000 would push other rows off the screen. */
const maxCellLength = 300;

/** Returns the URL of a value's drill-down, if it has one. */
export type CellLink = (column: ReportColumn, row: ReportRow) => string | undefined;

export interface Sorting {
  column: string | undefined;
  isDown: boolean;
  hrefOf(column: ReportColumn): string | undefined;
}

function renderAriaSort({ name }: ReportColumn, sorting: Sorting | undefined): Html | undefined {
  if (sorting?.column !== name) return undefined;
  return html` aria-sort="${sorting.isDown ? "descending" : "ascending"}"`;
}

interface RowsOptions {
  report?: ReportName | undefined;
  ratio?: string | undefined;
  /** Keeps the column order instead of moving identifying columns first. @default true without a report */
  isOrdered?: boolean | undefined;
  /** @default no links */
  hrefOf?: CellLink | undefined;
  /** @default sorted by the page's script */
  sorting?: Sorting | undefined;
}

/**
 * Renders a table of rows. Numeric cells contain the unformatted number for sorting. On a phone, rows fold to their
 * leading columns.
 */
export function renderRows(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  caption: string,
  { report, ratio, isOrdered = report === undefined, hrefOf = () => undefined, sorting }: RowsOptions = {},
): Html {
  const positions = isOrdered
    ? columns.map((_column, position) => position)
    : orderForReaders(columns, ratio).positions.filter(
        (position) => !hasFoldedChange(columns, position, ratio),
      );
  const ordered = positions.flatMap((position) => columns[position] ?? []);
  const leading = findLeadingColumns(ordered, report, ratio);
  const placedColumns = positions.flatMap((position) => {
    const column = columns[position];
    if (!column) return [];
    const change = columns.findIndex(
      ({ compared }, at) =>
        compared?.of === column.name && compared.is === "change" && !positions.includes(at),
    );
    return [
      {
        column,
        position,
        change,
        kind: `${chooseClass(column, columns)}${leading.has(column) ? " lead" : ""}`,
        shorten: createDistinctShortener(
          maxCellLength,
          column.type === "text" ? rows.map((row) => formatReadable(row[position] ?? null, column, row)) : [],
        ),
      },
    ];
  });
  return html`<table data-rows${areStatementRows(ordered) ? html` class="statements"` : undefined}><caption class="unseen">${caption}</caption>
<thead><tr>${placedColumns.map(
    ({ column, kind }) =>
      html`<th scope="col" class="${kind}"${renderAriaSort(column, sorting)}>${renderLink(figureOfColumn(column, report).label, sorting?.hrefOf(column))}</th>`,
  )}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${placedColumns.map((place) => renderCell(row, place, columns, hrefOf(place.column, row)))}</tr>\n`)}</tbody></table>`;
}

/** Secondary measures show their change below the value; their previous value is only in files. */
function hasFoldedChange(
  columns: readonly ReportColumn[],
  position: number,
  ratio: string | undefined,
): boolean {
  const { compared } = columns[position] ?? {};
  const first = columns.find((column) => column.compared?.is === "change")?.compared?.of;
  return (
    compared !== undefined && isNumeric(columns[position] as ReportColumn) && compared.of !== (ratio ?? first)
  );
}

interface PlacedColumn {
  column: ReportColumn;
  /** Index in the report's rows. */
  position: number;
  /** Index of the change shown in the same cell, else -1. */
  change: number;
  /** CSS classes. */
  kind: string;
  shorten(text: string): string;
}

function renderCell(
  row: ReportRow,
  { column, position, change, kind, shorten }: PlacedColumn,
  columns: readonly ReportColumn[],
  href: string | undefined,
): Html {
  const value = row[position] ?? null;
  if (value === null) return html`<td class="${kind}"></td>`;
  const text = formatReadable(value, column, row);
  if (isNumeric(column)) {
    const changed = columns[change] && renderChange(row[change] ?? null, columns[change]);
    const shown = renderChange(value, column) ?? renderLink(text, href);
    return html`<td class="${kind}" data-value="${String(value)}">${changed ? html`<span>${shown}<br><small>${changed}</small></span>` : shown}</td>`;
  }
  if (column.type === "text") {
    const shown = isShownWhole(column) ? text : shorten(text);
    return html`<td class="${kind}"><bdi>${renderLink(shown, href)}</bdi></td>`;
  }
  return html`<td class="${kind}">${renderLink(text, href)}</td>`;
}

/** Renders a change as a glyph on screen and a word for screen readers. */
function renderChange(value: ReportValue, column: ReportColumn): Html | undefined {
  const change = findChange(value, column);
  return (
    change &&
    html`<span><span aria-hidden="true">${change.mark}</span><span class="unseen">${change.word}</span> ${change.amount}</span>`
  );
}

/** Renders a link with a placeholder for blank text, which could not be clicked. */
function renderLink(text: string, href: string | undefined): Html {
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}">${text.trim() === "" ? "(no name)" : text}</a>`;
}

/** Returns true for columns that are not shortened: in a rejected line, the error may be at the end. */
function isShownWhole({ name }: ReportColumn): boolean {
  return name === "line";
}

function chooseClass(column: ReportColumn, columns: readonly ReportColumn[]): string {
  if (isNumeric(column)) return isId(column) ? "number id" : "number";
  const kind = column.type === "text" ? (isShownWhole(column) ? "text whole" : "text") : "moment";
  // The class `name` keeps the column visible while the table scrolls sideways.
  return column === columns.find(isRowName) ? `${kind} name` : kind;
}

/** Leading columns of reports whose answer is not their first measure. */
const leadingNames: Partial<Record<ReportName, readonly string[]>> = {
  "single-plays": ["item_name", "played_at_local"],
  rejects: ["line_number", "reason"],
  loads: ["kind", "lines", "rejected"],
  devices: ["zone_name", "state", "down_for_seconds"],
  outages: ["zone_name", "started_at", "down_seconds"],
  silences: ["zone_name", "started_at", "quiet_seconds"],
};

/** Returns the columns that a phone shows for a folded row: those that identify it, and its main measure. */
function findLeadingColumns(
  ordered: readonly ReportColumn[],
  report: ReportName | undefined,
  ratio: string | undefined,
): ReadonlySet<ReportColumn> {
  const listed = (report && leadingNames[report]) ?? [];
  if (listed.length > 0) return new Set(ordered.filter(({ name }) => listed.includes(name)));
  const [first] = ordered;
  // Rows with several names, such as a campaign's zones by date, show up to three.
  const others = ordered.filter((column) => column !== first);
  const names = others.filter(isRowName).slice(0, 2);
  const figure = ordered.find(({ name }) => name === ratio) ?? ordered.find(isFigure);
  const change = ordered.find(({ compared }) => compared?.is === "change" && compared.of === figure?.name);
  const name = ordered.find(isRowName);
  const isIdentified = change !== undefined || (name !== undefined && name !== first);
  const leading = [
    first,
    name,
    ...(isIdentified ? [] : names.length > 0 ? names : others.slice(0, 1)),
    figure,
    change,
  ];
  return new Set(leading.filter((column) => column !== undefined));
}

function isRowName({ name }: ReportColumn): boolean {
  return name.endsWith("_name") || name === "date";
}

/** Returns true if rows are statements, such as those of `quality`, which a phone shows in full. */
function areStatementRows(columns: readonly ReportColumn[]): boolean {
  const names = columns.map(({ name }) => name).join();
  return /^(section,)?subject,value,note$/.test(names);
}
