import { formatReadable, orderForReaders, type ReadableOrder } from "../../columns/readable-order.ts";
import { figureOfColumn } from "../../figures.ts";
import type { Report, ReportColumn, ReportRow } from "../../result-types.ts";
import { formatCellText, isNumeric, toSingleLine } from "../../text/cell-text.ts";
import { displayWidth, pad, truncate } from "../../text/display-width.ts";
import { createDistinctShortener } from "../../text/distinct-shortener.ts";
import { type FormatOptions, formatRowCount } from "../formatter.ts";
import { barWidth, columnGap, drawShareBar, fitTable, type TableColumn } from "./fit-table.ts";

/** Number of rows that determine column widths. These rows are buffered; the others stream. */
const measuredRows = 10_000;
/** Maximum width of a text column without a terminal. */
const defaultTextWidth = 80;
/** Maximum length of text that wraps over several lines. */
const maxNoteLength = 2000;
/** Characters kept at each end of a long text before it is shortened to the column's width. */
const keptLength = 1000;

type Rows = Pick<Report, "name" | "columns" | "ratio" | "isOrdered" | "rows">;

/**
 * Streams an aligned table. `writeAbove` returns the text above it, and may run further statements once all
 * rows are read.
 */
export async function* formatRows(
  report: Rows,
  options: FormatOptions = {},
  writeAbove: (areAllRead: boolean) => Promise<string> = async () => "",
): AsyncIterable<string> {
  const style = createStyles(options);
  const { positions, leading } = chooseOrder(report, options);
  const ordered = positions.map((position) => report.columns[position] as ReportColumn);
  const rows = formatTextRows(report.rows, ordered, positions, options)[Symbol.asyncIterator]();
  const { sample, areAllRead } = await readSample(rows);
  yield await writeAbove(areAllRead);
  const { width: maxTextWidth = defaultTextWidth } = options;
  const columns = fitTable(ordered, sample, leading, createLabels(report, options), {
    ...options,
    maxTextWidth,
  });
  const shorten = columns.map((column, index) => {
    const { type, wraps = false, isCut } = column;
    if (type !== "text" || (wraps && (!isCut || index === columns.length - 1))) return undefined;
    return createDistinctShortener(
      isCut ? column.width : maxTextWidth,
      new Set(sample.map((row) => row[index] ?? "")),
    );
  });
  yield formatHeader(columns)
    .map((line) => `${style.bold(line)}\n`)
    .join("");
  let count = 0;
  for await (const row of concatenate(sample, rows)) {
    count += 1;
    const shown = row.map((cell, index) => shorten[index]?.(cell) ?? cell);
    yield formatRow(shown, columns);
  }
  const hidden = ordered.length - columns.length;
  const summary = `${formatRowCount(count)}${hidden === 0 ? "" : formatHiddenColumns(hidden, options)}`;
  yield `${count > 0 ? "\n" : ""}${style.dim(summary)}\n`;
}

/** Returns column headings: labels for a report's columns, plain names for a query's. */
function createLabels(
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

function chooseOrder(
  { name, columns, ratio, isOrdered = false }: Rows,
  { isTerminal = false }: FormatOptions,
): ReadableOrder {
  if (isTerminal && name !== undefined && !isOrdered) return orderForReaders(columns, ratio);
  return { positions: columns.map((_column, position) => position), leading: 1 };
}

async function* formatTextRows(
  rows: Report["rows"],
  columns: readonly ReportColumn[],
  positions: readonly number[],
  options: FormatOptions,
): AsyncIterableIterator<string[]> {
  for await (const row of rows) {
    yield columns.map((column, index) => formatTextCell(row, positions[index] ?? 0, column, options));
  }
}

function formatTextCell(
  row: ReportRow,
  position: number,
  column: ReportColumn,
  { isTerminal = false }: FormatOptions,
): string {
  const value = row[position] ?? null;
  if (column.type === "text") {
    const text = formatCellText(value, column, row);
    // Text beyond this length is never shown, so it is not cleaned.
    if (column.wraps) return truncate(toSingleLine(text.slice(0, maxNoteLength * 32)), maxNoteLength);
    return toSingleLine(text.length > 2 * keptLength ? keepEnds(text) : text);
  }
  // The change of a ratio always has its unit, percentage points: a bare number would read as a percentage.
  const isReadable = isTerminal || (column.compared?.is === "change" && column.unit === "share");
  return isReadable
    ? formatReadable(value, column, row).replaceAll("\u00a0", " ")
    : formatCellText(value, column);
}

function keepEnds(text: string): string {
  return `${text.slice(0, keptLength)}…${text.slice(-keptLength)}`;
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

function formatHeader(columns: readonly TableColumn[]): string[] {
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

function formatRow(row: readonly string[], columns: readonly TableColumn[]): string {
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
      if (column.hasBar) return `${pad(cell, column.width - barWidth - 1, true)} ${drawShareBar(cell)}`;
      return pad(cell, column.width, isNumeric(column));
    })
    .join(" ".repeat(columnGap))
    .trimEnd();
}

async function* concatenate<Item>(
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

export function createStyles({ useColour = false }: FormatOptions): Styles {
  const wrap = (code: number) => (text: string) => (useColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: wrap(1), dim: wrap(2) };
}

/** Wraps text at words; a word wider than the line is on a separate line. */
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
