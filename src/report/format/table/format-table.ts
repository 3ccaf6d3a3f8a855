import type { Report, ReportColumn, ReportRow } from "../../report.ts";
import { cellText, isNumeric } from "../../text/cell-text.ts";
import { displayWidth, pad, singleLine, truncate } from "../../text/display-text.ts";
import type { FormatOptions } from "../formatter.ts";
import { headingOf, rowCount } from "../heading.ts";
import { columnGap, type FittedColumn, fitColumns } from "./fit-columns.ts";
import { barWidth, shareBar } from "./share-bar.ts";
import { type Styles, stylesFor } from "./styles.ts";

/** So many rows decide how wide columns are; they are held, the rest streams. */
const measuredRows = 10_000;
/** Of a text where there is no terminal to fit. */
const longestText = 80;
/** Of a text that goes on in further lines. */
const longestNote = 2000;

type Rows = Pick<Report, "columns" | "rows">;

interface Column extends ReportColumn, FittedColumn {
  /** Whether a wider value is cut short; else it moves its line, but is shown whole. */
  isCut: boolean;
  /** Whether a bar stands beside the value, within the column's width. */
  hasBar: boolean;
}

/**
 * For reading on a terminal: fits its width, numbers to the right, long texts cut with `…`. Where the columns can't
 * be made to fit, each row becomes a block of lines instead.
 */
export async function* formatTable(report: Report, options: FormatOptions = {}): AsyncIterable<string> {
  const { width = Number.POSITIVE_INFINITY } = options;
  const style = stylesFor(options);
  const { title, details } = headingOf(report);
  yield `${style.bold(singleLine(title))}\n${style.dim(wrapWords(singleLine(details), width))}\n\n`;
  yield* formatRows(report, options);
}

/** The rows alone, below their columns' names, and how many they are. */
export async function* formatRows(report: Rows, options: FormatOptions = {}): AsyncIterable<string> {
  const { width = Number.POSITIVE_INFINITY } = options;
  const style = stylesFor(options);
  const rows = textRows(report, width)[Symbol.asyncIterator]();
  const sample: string[][] = [];
  while (sample.length < measuredRows) {
    const next = await rows.next();
    if (next.done) break;
    sample.push(next.value);
  }
  const columns = layOut(report.columns, sample, options);
  let count = 0;
  if (columns)
    yield headerLines(columns)
      .map((line) => `${style.bold(line)}\n`)
      .join("");
  for await (const row of continued(sample, rows)) {
    count += 1;
    yield columns ? rowLine(row, columns) : block(row, report.columns, count, width, style);
  }
  yield style.dim(`${count > 0 ? "\n" : ""}${rowCount(count)}`).concat("\n");
}

async function* textRows({ columns, rows }: Rows, width: number): AsyncIterableIterator<string[]> {
  const longest = Number.isFinite(width) ? width : longestText;
  for await (const row of rows) {
    yield columns.map((column, index) => textCell(row, index, column, column.wraps ? longestNote : longest));
  }
}

function textCell(row: ReportRow, index: number, column: ReportColumn, longest: number): string {
  const text = cellText(row[index] ?? null, column, row);
  // Nothing beyond is ever shown, so it need not be cleaned.
  return column.type === "text" ? truncate(singleLine(text.slice(0, longest * 32)), longest) : text;
}

function layOut(
  columns: readonly ReportColumn[],
  sample: readonly string[][],
  { width = Number.POSITIVE_INFINITY, showBars = false }: FormatOptions,
): Column[] | undefined {
  const needs = columns.map(({ name, type }, index) => ({
    name: singleLine(name),
    valueWidth: widest(sample, index),
    canShrink: type === "text",
  }));
  const withBars = needs.map((need, index) => {
    const room = columns[index]?.type === "share" ? barWidth + 1 : 0;
    return { ...need, valueWidth: need.valueWidth + room, canShrink: false };
  });
  // No text is cut short to make room for a bar.
  const roomy = showBars ? fitColumns(withBars, width) : undefined;
  const fitted = roomy ?? fitColumns(needs, width);
  return fitted?.map((fit, index) => {
    const column = columns[index] as ReportColumn;
    const isCut = column.type === "text" && Number.isFinite(width);
    return { ...fit, ...column, isCut, hasBar: roomy !== undefined && column.type === "share" };
  });
}

function widest(sample: readonly string[][], index: number): number {
  return sample.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? "")), 0);
}

function headerLines(columns: readonly Column[]): string[] {
  const height = Math.max(0, ...columns.map(({ header }) => header.length));
  const names = Array.from({ length: height }, (_, index) =>
    columns.map(({ header }) => header[index - (height - header.length)] ?? ""),
  );
  return [
    ...names.map((cells) => joinCells(cells, columns.map(withoutBar))),
    columns.map(({ width }) => "─".repeat(width)).join(" ".repeat(columnGap)),
  ];
}

function withoutBar(column: Column): Column {
  return { ...column, hasBar: false };
}

function rowLine(row: readonly string[], columns: readonly Column[]): string {
  const last = columns.length - 1;
  const { wraps = false, isCut = false, width = 0 } = columns[last] ?? {};
  if (!(wraps && isCut)) return `${joinCells(row, columns)}\n`;
  const [first = "", ...rest] = wrapWords(row[last] ?? "", width).split("\n");
  return [[...row.slice(0, last), first], ...rest.map((line) => [...row.slice(0, last).map(() => ""), line])]
    .map((cells) => `${joinCells(cells, columns)}\n`)
    .join("");
}

function joinCells(cells: readonly string[], columns: readonly Column[]): string {
  return columns
    .map((column, index) => {
      const cell = cells[index] ?? "";
      const shown = column.isCut ? truncate(cell, column.width) : cell;
      if (column.hasBar) return `${pad(shown, column.width - barWidth - 1, true)} ${shareBar(shown)}`;
      return pad(shown, column.width, isNumeric(column));
    })
    .join(" ".repeat(columnGap))
    .trimEnd();
}

function block(
  row: readonly string[],
  columns: readonly ReportColumn[],
  number: number,
  width: number,
  { bold }: Styles,
): string {
  const nameWidth = Math.min(
    Math.floor(width / 2),
    Math.max(...columns.map(({ name }) => displayWidth(name))),
  );
  const lines = columns.map(({ name, wraps }, index) => {
    const shownName = pad(truncate(singleLine(name), nameWidth), nameWidth, false);
    const room = width - nameWidth - columnGap;
    const indent = " ".repeat(nameWidth + columnGap);
    const text = row[index] ?? "";
    const lines = wraps ? wrapWords(text, room).split("\n") : [truncate(text, room)];
    return `${shownName}${" ".repeat(columnGap)}${lines.join(`\n${indent}`)}`.trimEnd();
  });
  return `${number > 1 ? "\n" : ""}${bold(`row ${number}`)}\n${lines.join("\n")}\n`;
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

function wrapWords(text: string, width: number): string {
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
