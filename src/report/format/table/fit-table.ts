import type { ReportColumn } from "../../report.ts";
import { displayWidth, singleLine } from "../../text/display-text.ts";
import type { FormatOptions } from "../formatter.ts";
import { type ColumnNeed, type FittedColumn, fitColumns } from "./fit-columns.ts";
import { barWidth } from "./share-bar.ts";

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
