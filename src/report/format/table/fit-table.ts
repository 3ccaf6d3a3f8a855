import type { ReportColumn } from "../../report.ts";
import { displayWidth, singleLine, truncate } from "../../text/cell-text.ts";
import type { FormatOptions } from "../formatter.ts";

export interface TableColumn extends ReportColumn, FittedColumn {
  /** Whether a wider value is cut short; else it moves its line, but is shown whole. */
  isCut: boolean;
  /** Whether a bar stands beside the value, within the column's width. */
  hasBar: boolean;
}

type TableOptions = FormatOptions & {
  /** Of a text, even where there is more room. */
  longest: number;
};

/** A text is cut no shorter than this to make room for a further column. */
const readableWidth = 20;
/** Nor shorter than this where what a row is about would not fit else. */
const leastWidth = 8;

/**
 * The first columns, as many as fit: those that lead are cut short before they are left out. At least one.
 * @param sample rows that decide how wide columns are
 * @param leading so many say what a row is about
 * @param labelOf what stands above a column
 */
export function fitTable(
  columns: readonly ReportColumn[],
  sample: readonly (readonly string[])[],
  leading: number,
  labelOf: (name: string) => string,
  { width = Number.POSITIVE_INFINITY, isWide = false, isTerminal = false, longest }: TableOptions,
): TableColumn[] {
  const needs = columns.map(({ name, type, wraps = false }, index) => ({
    name: singleLine(labelOf(name)),
    valueWidth: Math.min(
      widest(sample, index),
      type === "text" && !wraps ? longest : Number.POSITIVE_INFINITY,
    ),
    canShrink: type === "text",
  }));
  const room = isWide ? Number.POSITIVE_INFINITY : width;
  const fitted = fitFirst(needs, room, leading);
  // No text is cut short to make room for a bar.
  const withBars =
    isTerminal && !isWide
      ? fitColumns(
          fitted.map((_fit, index) => roomForBar(needs, columns, index)),
          room,
          0,
        )
      : undefined;
  return (withBars ?? fitted).map((fit, index) => {
    const column = columns[index] as ReportColumn;
    const isCut = column.type === "text" && Number.isFinite(room);
    return { ...fit, ...column, isCut, hasBar: withBars !== undefined && column.type === "share" };
  });
}

function fitFirst(needs: readonly ColumnNeed[], width: number, leading: number): FittedColumn[] {
  for (let count = needs.length; count > 0; count -= 1) {
    const least = count > leading ? readableWidth : leastWidth;
    const fitted = fitColumns(needs.slice(0, count), width, least);
    if (fitted) return fitted;
  }
  return fitColumns(needs.slice(0, 1), Number.POSITIVE_INFINITY, leastWidth) ?? [];
}

function roomForBar(
  needs: readonly ColumnNeed[],
  columns: readonly ReportColumn[],
  index: number,
): ColumnNeed {
  const { name = "", valueWidth = 0 } = needs[index] ?? {};
  const bar = columns[index]?.type === "share" ? barWidth + 1 : 0;
  return { name, valueWidth: valueWidth + bar, canShrink: false };
}

function widest(sample: readonly (readonly string[])[], index: number): number {
  return sample.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? "")), 0);
}

/** What a column would like to be given. Widths are in terminal columns. */
interface ColumnNeed {
  /** What stands above it. */
  name: string;
  /** Of the widest value. */
  valueWidth: number;
  /** A text may be cut short; a number or a date may not. */
  canShrink: boolean;
}

interface FittedColumn {
  width: number;
  /** It, over as many lines as it needs. */
  header: string[];
}

export const columnGap = 2;
/** A longer part of a column's name is cut short. */
const longestNamePart = 16;
/** A longer name is an expression of a query: in words, it would take many lines. */
const longestLabel = 40;

/**
 * Fits columns into a width: as they are; else with names over several lines, broken after a word; else with
 * texts cut short, the widest first. `undefined` when not even that fits.
 * @param least a text is never cut shorter than this
 */
function fitColumns(needs: readonly ColumnNeed[], width: number, least: number): FittedColumn[] | undefined {
  const whole = needs.map(({ name, valueWidth }) => Math.max(displayWidth(name), valueWidth));
  if (totalWidth(whole) <= width) {
    return needs.map(({ name }, index) => ({ width: whole[index] ?? 0, header: [name] }));
  }
  const narrow = needs.map(({ name, valueWidth }) => Math.max(narrowestHeader(name), valueWidth));
  const floors = needs.map(({ name, canShrink }, index) => {
    const natural = narrow[index] ?? 0;
    return canShrink ? Math.min(natural, Math.max(narrowestHeader(name), least)) : natural;
  });
  if (totalWidth(floors) > width) return undefined;
  const widths = shrinkWidest(narrow, floors, width);
  return needs.map(({ name }, index) => {
    const columnWidth = widths[index] ?? 0;
    return { width: columnWidth, header: breakName(name, columnWidth) };
  });
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + columnGap * Math.max(0, widths.length - 1);
}

function shrinkWidest(natural: readonly number[], floors: readonly number[], width: number): number[] {
  const widths = [...natural];
  for (let excess = totalWidth(widths) - width; excess > 0; excess -= 1) {
    const room = widths.map((current, index) => (current > (floors[index] ?? 0) ? current : 0));
    const widest = room.indexOf(Math.max(...room));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function nameParts(name: string): string[] {
  const parts = name.length > longestLabel ? /[^_]*_+|[^_]+$/g : /[^_ ]*[_ ]+|[^_ ]+$/g;
  return name.match(parts) ?? [name];
}

function narrowestHeader(name: string): number {
  return Math.min(longestNamePart, Math.max(...nameParts(name).map((part) => displayWidth(part.trimEnd()))));
}

function breakName(name: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of nameParts(name)) {
    const last = lines.at(-1);
    if (last !== undefined && (last + part).trimEnd().length <= width) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.map((line) => truncate(line.trimEnd(), width));
}

/** Terminal columns of a bar. */
export const barWidth = 8;

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar as long as a share, given as people read it (`91.8 %`); blanks for what is no share. */
export function shareBar(percent: string): string {
  const share = Math.min(1, Math.max(0, Number.parseFloat(percent) / 100));
  // However small, it is not nothing.
  const length = share > 0 ? Math.max(1, Math.round(share * barWidth * 8)) : 0;
  return ("█".repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? "")).padEnd(barWidth);
}
