import { findChange, isId, orderForPeople, readableText } from "../columns/people-order.ts";
import { figureOf } from "../figures.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import { isNumeric } from "../text/cell-text.ts";
import { shortenApart } from "../text/shorten-apart.ts";
import { type Html, html } from "./html.ts";

/** Characters of one cell's text; a name of 20,000 characters would bury the rows around it. */
const longestText = 300;

/** Where the value of a column in a row leads, if anywhere. */
export type CellLink = (column: ReportColumn, row: ReportRow) => string | undefined;

/** How rows are sorted by whoever gives them, and what asks for another order. */
export interface Sorting {
  column: string | undefined;
  isDown: boolean;
  hrefOf(column: ReportColumn): string | undefined;
}

function ariaSort({ name }: ReportColumn, sorting: Sorting | undefined): Html | undefined {
  if (sorting?.column !== name) return undefined;
  return html` aria-sort="${sorting.isDown ? "descending" : "ascending"}"`;
}

interface RowsOptions {
  report?: ReportName | undefined;
  /** The column that rows are judged by. */
  ratio?: string | undefined;
  /** Whether columns stay as they are; else what a row is about comes first. @default where there is no report */
  isOrdered?: boolean | undefined;
  /** @default nowhere */
  hrefOf?: CellLink | undefined;
  /** @default the page sorts by itself */
  sorting?: Sorting | undefined;
}

/**
 * The report's table. Numbers carry themselves unformatted, for sorting. On a phone rows are folded to what leads, and
 * open; statements are shown whole.
 */
export function renderRows(
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  caption: string,
  { report, ratio, isOrdered = report === undefined, hrefOf = () => undefined, sorting }: RowsOptions = {},
): Html {
  const positions = isOrdered
    ? columns.map((_column, position) => position)
    : orderForPeople(columns, ratio).positions.filter((position) => !isFolded(columns, position, ratio));
  const ordered = positions.flatMap((position) => columns[position] ?? []);
  const leading = leadingColumns(ordered, report, ratio);
  const places = positions.flatMap((position) => {
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
        kind: `${cellClass(column, columns)}${leading.has(column) ? " lead" : ""}`,
        shorten: shortenApart(
          longestText,
          column.type === "text" ? rows.map((row) => readableText(row[position] ?? null, column, row)) : [],
        ),
      },
    ];
  });
  return html`<table data-rows${areStatements(ordered) ? html` class="stated"` : undefined}><caption class="unseen">${caption}</caption>
<thead><tr>${places.map(
    ({ column, kind }) =>
      html`<th scope="col" class="${kind}"${ariaSort(column, sorting)}>${linked(figureOf(column.name, report).label, sorting?.hrefOf(column))}</th>`,
  )}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${places.map((place) => cell(row, place, columns, hrefOf(place.column, row)))}</tr>\n`)}</tbody></table>`;
}

/** Of figures beside the one that matters most, a change stands below the value, and what it was then in the files alone. */
function isFolded(columns: readonly ReportColumn[], position: number, ratio: string | undefined): boolean {
  const { compared } = columns[position] ?? {};
  const first = columns.find((column) => column.compared?.is === "change")?.compared?.of;
  return (
    compared !== undefined && isNumeric(columns[position] as ReportColumn) && compared.of !== (ratio ?? first)
  );
}

interface Place {
  column: ReportColumn;
  /** In the report's rows. */
  position: number;
  /** Of its change, where that stands in the same cell; else -1. */
  change: number;
  /** Its classes. */
  kind: string;
  /** Shortens its texts. */
  shorten(text: string): string;
}

function cell(
  row: ReportRow,
  { column, position, change, kind, shorten }: Place,
  columns: readonly ReportColumn[],
  href: string | undefined,
): Html {
  const value = row[position] ?? null;
  if (value === null) return html`<td class="${kind}"></td>`;
  const text = readableText(value, column, row);
  if (isNumeric(column)) {
    const changed = columns[change] && renderChange(row[change] ?? null, columns[change]);
    const shown = renderChange(value, column) ?? linked(text, href);
    return html`<td class="${kind}" data-value="${String(value)}">${changed ? html`<span>${shown}<br><small>${changed}</small></span>` : shown}</td>`;
  }
  if (column.type === "text") {
    const shown = isWhole(column) ? text : shorten(text);
    return html`<td class="${kind}"><bdi>${linked(shown, href)}</bdi></td>`;
  }
  return html`<td class="${kind}">${linked(text, href)}</td>`;
}

/** Its mark is for the eye, and a word for the ear. */
function renderChange(value: ReportValue, column: ReportColumn): Html | undefined {
  const change = findChange(value, column);
  return (
    change &&
    html`<span><span aria-hidden="true">${change.mark}</span><span class="unseen">${change.word}</span> ${change.amount}</span>`
  );
}

/** A name of nothing but blanks could not be pointed at. */
function linked(text: string, href: string | undefined): Html {
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}">${text.trim() === "" ? "(no name)" : text}</a>`;
}

/** What is wrong with a line may stand at its end. */
function isWhole({ name }: ReportColumn): boolean {
  return name === "line";
}

function cellClass(column: ReportColumn, columns: readonly ReportColumn[]): string {
  if (isNumeric(column)) return isId(column) ? "number id" : "number";
  const kind = column.type === "text" ? (isWhole(column) ? "text whole" : "text") : "moment";
  // Stays in sight while the table is scrolled sideways.
  return column === columns.find(isRowName) ? `${kind} name` : kind;
}

/** Of reports whose rows another column answers than the first figure. */
const answers: Partial<Record<ReportName, readonly string[]>> = {
  "single-plays": ["item_name", "played_at_local"],
  rejects: ["line_number", "reason"],
  loads: ["kind", "lines", "rejected"],
  devices: ["zone_name", "state", "down_for_seconds"],
  outages: ["zone_name", "started_at", "down_seconds"],
};

/**
 * What a phone shows of each row before it is opened: its name, what tells it from others of that name, its ratio or first
 * figure, and where that is compared, its change.
 * @param ordered as they are shown
 */
function leadingColumns(
  ordered: readonly ReportColumn[],
  report: ReportName | undefined,
  ratio: string | undefined,
): ReadonlySet<ReportColumn> {
  const listed = (report && answers[report]) ?? [];
  if (listed.length > 0) return new Set(ordered.filter(({ name }) => listed.includes(name)));
  const [first] = ordered;
  const other = ordered.find((column) => column !== first && !column.name.endsWith("_name"));
  const figure = ordered.find(({ name }) => name === ratio) ?? ordered.find(isFigure);
  const change = ordered.find(({ compared }) => compared?.is === "change" && compared.of === figure?.name);
  const name = ordered.find(isRowName);
  const isTold = change !== undefined || (name !== undefined && name !== first);
  const leading = [first, name, isTold ? undefined : other, figure, change];
  return new Set(leading.filter((column) => column !== undefined));
}

/** Whether it says which row it is, to whoever looks for one. */
function isRowName({ name, type }: ReportColumn): boolean {
  return name.endsWith("_name") || type === "date";
}

/** Whether rows are statements, each on a subject: a phone shows them whole, with nothing to open. */
function areStatements(columns: readonly ReportColumn[]): boolean {
  const names = columns.map(({ name }) => name).join();
  return /^(section,)?subject,value,note$/.test(names);
}

function isFigure(column: ReportColumn): boolean {
  return isNumeric(column) && !isId(column);
}
