import { orderForReaders, type ReadableOrder, readableText } from "../../columns/readable-order.ts";
import { figureOfColumn } from "../../figures.ts";
import type { Report, ReportColumn, ReportRow } from "../../report.ts";
import { cellText, displayWidth, isNumeric, pad, singleLine, truncate } from "../../text/cell-text.ts";
import { createDistinctShortener } from "../../text/distinct-shortener.ts";
import { type FormatOptions, rowCount } from "../formatter.ts";
import { barWidth, columnGap, fitTable, shareBar, type TableColumn } from "./fit-table.ts";

/** Rows that determine column widths; these are buffered, the rest streams. */
const measuredRows = 10_000;
/** Maximum width of a text without a terminal. */
const longestText = 80;
/** Maximum length of a text that wraps over several lines. */
const longestNote = 2000;
/** Characters kept at each end of a text before it is shortened. */
const longestKept = 1000;

type Rows = Pick<Report, "name" | "columns" | "ratio" | "isOrdered" | "rows">;

/** `writeAbove` returns the text above the table; it may run further statements once all rows are read. */
export async function* formatRows(
  report: Rows,
  options: FormatOptions = {},
  writeAbove: (areAllRead: boolean) => Promise<string> = async () => "",
): AsyncIterable<string> {
  const style = stylesFor(options);
  const { positions, leading } = orderOf(report, options);
  const ordered = positions.map((position) => report.columns[position] as ReportColumn);
  const rows = textRows(report.rows, ordered, positions, options)[Symbol.asyncIterator]();
  const { sample, areAllRead } = await readSample(rows);
  yield await writeAbove(areAllRead);
  const { width: longest = longestText } = options;
  const columns = fitTable(ordered, sample, leading, labelsFor(report, options), { ...options, longest });
  const shorten = columns.map((column, index) => {
    const { type, wraps = false, isCut } = column;
    if (type !== "text" || (wraps && (!isCut || index === columns.length - 1))) return undefined;
    return createDistinctShortener(
      isCut ? column.width : longest,
      new Set(sample.map((row) => row[index] ?? "")),
    );
  });
  yield headerLines(columns)
    .map((line) => `${style.bold(line)}\n`)
    .join("");
  let count = 0;
  for await (const row of continued(sample, rows)) {
    count += 1;
    const shown = row.map((cell, index) => shorten[index]?.(cell) ?? cell);
    yield rowLines(shown, columns);
  }
  const hidden = ordered.length - columns.length;
  const said = `${rowCount(count)}${hidden === 0 ? "" : formatHiddenColumns(hidden, options)}`;
  yield `${count > 0 ? "\n" : ""}${style.dim(said)}\n`;
}

/** Labels are for readers; a query's columns keep their names. */
function labelsFor(
  { name: report, columns }: Rows,
  { isTerminal = false }: FormatOptions,
): (name: string) => string {
  if (report === undefined || !isTerminal) return (name) => name;
  const labels = new Map(columns.map((column) => [column.name, figureOfColumn(column, report).label]));
  return (name) => labels.get(name) ?? name;
}

function formatHiddenColumns(hidden: number, { showsAll }: FormatOptions): string {
  const columns = hidden === 1 ? "1 more column" : `${hidden} more columns`;
  return showsAll === undefined
    ? `, ${columns}: --wide shows all, --columns chooses`
    : `, ${columns}: ${showsAll} shows all`;
}

function orderOf(
  { name, columns, ratio, isOrdered = false }: Rows,
  { isTerminal = false }: FormatOptions,
): ReadableOrder {
  if (isTerminal && name !== undefined && !isOrdered) return orderForReaders(columns, ratio);
  return { positions: columns.map((_column, position) => position), leading: 1 };
}

async function* textRows(
  rows: Report["rows"],
  columns: readonly ReportColumn[],
  positions: readonly number[],
  options: FormatOptions,
): AsyncIterableIterator<string[]> {
  for await (const row of rows) {
    yield columns.map((column, index) => textCell(row, positions[index] ?? 0, column, options));
  }
}

function textCell(
  row: ReportRow,
  position: number,
  column: ReportColumn,
  { isTerminal = false }: FormatOptions,
): string {
  const value = row[position] ?? null;
  if (column.type === "text") {
    const text = cellText(value, column, row);
    // Longer text is never shown, so it is not cleaned.
    if (column.wraps) return truncate(singleLine(text.slice(0, longestNote * 32)), longestNote);
    return singleLine(text.length > 2 * longestKept ? keepEnds(text) : text);
  }
  // Percentage points are not a percentage.
  const isReadable = isTerminal || (column.compared?.is === "change" && column.unit === "share");
  return isReadable ? readableText(value, column, row).replaceAll("\u00a0", " ") : cellText(value, column);
}

function keepEnds(text: string): string {
  return `${text.slice(0, longestKept)}…${text.slice(-longestKept)}`;
}

async function readSample(
  rows: AsyncIterator<string[]>,
): Promise<{ sample: string[][]; areAllRead: boolean }> {
  const sample: string[][] = [];
  while (sample.length < measuredRows) {
    const next = await rows.next();
    if (next.done) return { sample, areAllRead: true };
    sample.push(next.value);
  }
  return { sample, areAllRead: false };
}

function headerLines(columns: readonly TableColumn[]): string[] {
  const height = Math.max(0, ...columns.map(({ header }) => header.length));
  const names = Array.from({ length: height }, (_, index) =>
    columns.map(({ header }) => header[index - (height - header.length)] ?? ""),
  );
  return [
    ...names.map((cells) => joinCells(cells, columns.map(withoutBar))),
    columns.map(({ width }) => "─".repeat(width)).join(" ".repeat(columnGap)),
  ];
}

function withoutBar(column: TableColumn): TableColumn {
  return { ...column, hasBar: false };
}

function rowLines(row: readonly string[], columns: readonly TableColumn[]): string {
  const last = columns.length - 1;
  const { wraps = false, isCut = false, width = 0 } = columns[last] ?? {};
  if (!(wraps && isCut)) return `${joinCells(row, columns)}\n`;
  const [first = "", ...rest] = wrapWords(row[last] ?? "", width).split("\n");
  return [[...row.slice(0, last), first], ...rest.map((line) => [...row.slice(0, last).map(() => ""), line])]
    .map((cells) => `${joinCells(cells, columns)}\n`)
    .join("");
}

function joinCells(cells: readonly string[], columns: readonly TableColumn[]): string {
  return columns
    .map((column, index) => {
      const cell = cells[index] ?? "";
      if (column.hasBar) return `${pad(cell, column.width - barWidth - 1, true)} ${shareBar(cell)}`;
      return pad(cell, column.width, isNumeric(column));
    })
    .join(" ".repeat(columnGap))
    .trimEnd();
}

async function* continued<Item>(
  first: readonly Item[],
  rest: AsyncIterableIterator<Item>,
): AsyncIterableIterator<Item> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return?.();
  }
}

interface Styles {
  bold(text: string): string;
  dim(text: string): string;
}

export function stylesFor({ useColour = false }: FormatOptions): Styles {
  const wrap = (code: number) => (text: string) => (useColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: wrap(1), dim: wrap(2) };
}

/** Wraps a text at words; a word wider than the line gets its own. */
export function wrapWords(text: string, width: number): string {
  const lines: string[][] = [];
  let used = 0;
  for (const word of text.split(" ")) {
    const wordWidth = displayWidth(word);
    const line = lines.at(-1);
    if (line !== undefined && used + 1 + wordWidth <= width) {
      line.push(word);
      used += 1 + wordWidth;
    } else {
      lines.push([word]);
      used = wordWidth;
    }
  }
  return lines.map((words) => words.join(" ")).join("\n");
}
