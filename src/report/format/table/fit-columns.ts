import { displayWidth, truncate } from "../../text/display-text.ts";

/** What a column would like to be given. Widths are in terminal columns. */
export interface ColumnNeed {
  /** What stands above it. */
  name: string;
  /** Of the widest value. */
  valueWidth: number;
  /** A text may be cut short; a number or a date may not. */
  canShrink: boolean;
}

export interface FittedColumn {
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
export function fitColumns(
  needs: readonly ColumnNeed[],
  width: number,
  least: number,
): FittedColumn[] | undefined {
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
