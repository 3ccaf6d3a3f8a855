import type { ReportColumn } from "../../result-types.ts";
import { toSingleLine } from "../../text/cell-text.ts";
import { displayWidth, truncate } from "../../text/display-width.ts";
import type { FormatOptions } from "../formatter.ts";

export interface TableColumn extends ReportColumn, FittedColumn {
  /** True if wider values are truncated; otherwise they shift the rest of their line. */
  isCut: boolean;
  /** True if a bar follows the value within the column's width. */
  hasBar: boolean;
}

type TableOptions = FormatOptions & {
  /** Maximum width of a text column, even if there is more room. */
  maxTextWidth: number;
};

/** Text is not truncated below this width to make room for another column. */
const readableWidth = 20;
/** Text is not truncated below this width even to fit the leading columns. */
const minWidth = 8;

/** Returns as many of the first columns as fit, at least one. Truncates text before it drops `leading` columns. */
export function fitTable(
  columns: readonly ReportColumn[],
  sample: readonly (readonly string[])[],
  leading: number,
  labelOf: (name: string) => string,
  { width = Number.POSITIVE_INFINITY, isWide = false, isTerminal = false, maxTextWidth }: TableOptions,
): TableColumn[] {
  const needs = columns.map(({ name, type, wraps = false }, index) => ({
    name: toSingleLine(labelOf(name)),
    valueWidth: Math.min(
      measureWidest(sample, index),
      type === "text" && !wraps ? maxTextWidth : Number.POSITIVE_INFINITY,
    ),
    canShrink: type === "text",
  }));
  const room = isWide ? Number.POSITIVE_INFINITY : width;
  const fitted = fitFirst(needs, room, leading);
  // Text is never truncated to make room for a bar.
  const withBars =
    isTerminal && !isWide
      ? fitColumns(
          fitted.map((_fit, index) => addBarWidth(needs, columns, index)),
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
    const minTextWidth = count > leading ? readableWidth : minWidth;
    const fitted = fitColumns(needs.slice(0, count), width, minTextWidth);
    if (fitted) return fitted;
  }
  return fitColumns(needs.slice(0, 1), Number.POSITIVE_INFINITY, minWidth) ?? [];
}

function addBarWidth(
  needs: readonly ColumnNeed[],
  columns: readonly ReportColumn[],
  index: number,
): ColumnNeed {
  const { name = "", valueWidth = 0 } = needs[index] ?? {};
  const bar = columns[index]?.type === "share" ? barWidth + 1 : 0;
  return { name, valueWidth: valueWidth + bar, canShrink: false };
}

function measureWidest(sample: readonly (readonly string[])[], index: number): number {
  return sample.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? "")), 0);
}

/** Widths are in terminal columns. */
interface ColumnNeed {
  name: string;
  valueWidth: number;
  canShrink: boolean;
}

interface FittedColumn {
  width: number;
  header: string[];
}

export const columnGap = 2;
const maxNamePart = 16;
/** Maximum label length. Longer names are query expressions, which would take many lines if wrapped at words. */
const maxLabelLength = 40;

/**
 * Fits columns into a width: unchanged if possible, else with headings wrapped at words, else with the
 * widest text columns truncated, but none below `least`. Returns `undefined` if even that does not fit.
 */
function fitColumns(
  needs: readonly ColumnNeed[],
  width: number,
  minTextWidth: number,
): FittedColumn[] | undefined {
  const whole = needs.map(({ name, valueWidth }) => Math.max(displayWidth(name), valueWidth));
  if (sumWidths(whole) <= width) {
    return needs.map(({ name }, index) => ({ width: whole[index] ?? 0, header: [name] }));
  }
  const narrow = needs.map(({ name, valueWidth }) => Math.max(measureNarrowestHeader(name), valueWidth));
  const floors = needs.map(({ name, canShrink }, index) => {
    const natural = narrow[index] ?? 0;
    return canShrink ? Math.min(natural, Math.max(measureNarrowestHeader(name), minTextWidth)) : natural;
  });
  if (sumWidths(floors) > width) return undefined;
  const widths = shrinkWidest(narrow, floors, width);
  return needs.map(({ name }, index) => {
    const columnWidth = widths[index] ?? 0;
    return { width: columnWidth, header: breakName(name, columnWidth) };
  });
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + columnGap * Math.max(0, widths.length - 1);
}

function shrinkWidest(natural: readonly number[], floors: readonly number[], width: number): number[] {
  const widths = [...natural];
  for (let excess = sumWidths(widths) - width; excess > 0; excess -= 1) {
    const room = widths.map((current, index) => (current > (floors[index] ?? 0) ? current : 0));
    const widest = room.indexOf(Math.max(...room));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function splitName(name: string): string[] {
  const parts = name.length > maxLabelLength ? /[^_]*_+|[^_]+$/g : /[^_ ]*[_ ]+|[^_ ]+$/g;
  return name.match(parts) ?? [name];
}

function measureNarrowestHeader(name: string): number {
  return Math.min(maxNamePart, Math.max(...splitName(name).map((part) => displayWidth(part.trimEnd()))));
}

function breakName(name: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of splitName(name)) {
    const last = lines.at(-1);
    if (last !== undefined && (last + part).trimEnd().length <= width) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.map((line) => truncate(line.trimEnd(), width));
}

/** Width in terminal columns. */
export const barWidth = 8;

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Draws a formatted ratio (`91.8 %`) as a bar; blank for other text. */
export function drawShareBar(percent: string): string {
  const share = Math.min(1, Math.max(0, Number.parseFloat(percent) / 100));
  // Any ratio above 0 is visible.
  const length = share > 0 ? Math.max(1, Math.round(share * barWidth * 8)) : 0;
  return ("█".repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? "")).padEnd(barWidth);
}
