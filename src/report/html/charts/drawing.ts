import { displayWidth } from "../../text/display-width.ts";
import { createDistinctShortener } from "../../text/distinct-shortener.ts";
import { formatShortDay } from "../../text/readable-text.ts";
import type { DayData } from "../../text/spans.ts";
import { Html, html } from "../html.ts";
import { type Colour, type NamedRow, type Pattern, palette } from "./chart.ts";

export interface Drawing {
  height: number;
  /** SVG elements, in painting order. */
  shapes: readonly Html[];
}

export interface LegendEntry {
  label: string;
  colour: Colour;
  /** Glyph shown on the colour. */
  mark?: string;
  /** Colour of the glyph. @default the page's */
  ink?: Colour;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns an SVG element without style or script, so that a page can forbid both. Numbers are rounded to tenths of a
 * pixel to keep pages small.
 */
export function createElement(
  name: string,
  attributes: Attributes,
  ...content: readonly (string | Html | Html[])[]
): Html {
  const written = Object.entries(attributes).map(([key, value]) =>
    typeof value === "number"
      ? new Html(` ${key}="${roundToTenths(value)}"`)
      : value === undefined
        ? undefined
        : html` ${new Html(key)}="${value}"`,
  );
  const tag = new Html(name);
  return html`<${tag}${written}>${content}</${tag}>`;
}

/** Returns text vertically centred on `y`. */
export function drawLabel(text: string, attributes: Attributes): Html {
  return createElement("text", { dy: ".35em", ...attributes }, text);
}

/**
 * Links a shape, but keeps it out of the tab order, because a chart may have a thousand links, and the rows below it
 * have the same ones.
 */
export function linkShape(href: string | undefined, shape: Html): Html {
  return href === undefined ? shape : createElement("a", { href, tabindex: -1 }, shape);
}

/** Returns a tooltip for a shape. */
export function title(text: string): Html {
  return html`<title>${text}</title>`;
}

export function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

interface Tile {
  size: number;
  rotation?: string;
  draw(fill: string): Html;
}

const patternTiles: Readonly<Record<Pattern, Tile>> = {
  stripes: {
    size: 7,
    rotation: "rotate(45)",
    draw: (fill) => createElement("rect", { width: 2, height: 7, fill }),
  },
  dots: { size: 6, draw: (fill) => createElement("circle", { cx: 3, cy: 3, r: 1.5, fill }) },
  bars: { size: 6, draw: (fill) => createElement("rect", { width: 2, height: 6, fill }) },
};

export const patternMarks: Readonly<Record<Pattern, string>> = { stripes: "/", dots: "∙", bars: "|" };

/** Defines transparent patterns in one colour, for fills as `url(#<id>-<pattern>)`. */
export function definePatterns(
  id: string,
  patterns: Iterable<Pattern>,
  colour: Colour = palette.paper,
): Html {
  return createElement(
    "defs",
    {},
    [...patterns].map((pattern) => {
      const { size, rotation, draw } = patternTiles[pattern];
      const tile = { id: `${id}-${pattern}`, width: size, height: size };
      return createElement(
        "pattern",
        { ...tile, patternUnits: "userSpaceOnUse", patternTransform: rotation },
        draw(colour.light),
      );
    }),
  );
}

const dataNames: Readonly<Record<Exclude<DayData, "whole">, string>> = {
  part: "partial data",
  none: "no data",
};

/** Returns the suffix ` (partial data)`; empty for complete data. */
export function formatPartial(data: DayData | undefined): string {
  return data === "part" ? ` (${dataNames.part})` : "";
}

/** Hatches days with partial or no data, so that readers do not mistake a low value for a decline. */
export function drawHatching(
  data: readonly (DayData | undefined)[],
  names: readonly string[],
  { area, slots, id }: { area: Area; slots: Slots; id: string },
): Html[] {
  const stripes = data.flatMap((state = "whole", index) => {
    if (state === "whole") return [];
    const shape = { x: slots.middle(index) - slots.size / 2, y: area.top, width: slots.size };
    const fill = { height: area.bottom - area.top, fill: `url(#${id}-stripes)` };
    return [createElement("rect", { ...shape, ...fill }, title(`${names[index]}: ${dataNames[state]}`))];
  });
  return stripes.length === 0 ? [] : [definePatterns(id, ["stripes"], palette.grey), ...stripes];
}

export function createHatchLegend(data: readonly (DayData | undefined)[]): LegendEntry[] {
  const states = (["part", "none"] as const).filter((state) => data.includes(state));
  if (states.length === 0) return [];
  const label = `${states.map((state) => dataNames[state]).join(", or ")} (striped)`;
  return [{ label, colour: palette.paleGrey, mark: patternMarks.stripes }];
}

/** Average width of a letter at the charts' font size. */
const letterWidth = 7;
/** Additional width of a capital. */
const capitalExtra = 2;
/** Minimum distance between the centres of day labels. */
const dayRoom = 52;
/** Minimum distance between the last day and the edge of the drawing. */
const rightMargin = 12;

/** Keeps lines equally thin at any scale. */
const thin = { fill: "none", "shape-rendering": "crispEdges" } as const;

/** Plot area, in pixels from the drawing's upper left corner. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Equal slots in a row or column. */
export interface Slots {
  size: number;
  middle(index: number): number;
}

export function createSlots(count: number, from: number, to: number): Slots {
  const size = (to - from) / count;
  return { size, middle: (index) => from + size * (index + 0.5) };
}

/** Returns the row labels at the left, shortened but still distinct, and the width they need. */
export function fitLeftLabels(
  rows: readonly NamedRow[],
  width: number,
): { room: number; labels: NamedRow[] } {
  const maxLetters = Math.floor((width * (width < 500 ? 0.48 : 0.36)) / letterWidth);
  const texts = rows.map(({ label }) => label.replace(/\s+/g, " "));
  const shorten = createDistinctShortener(maxLetters, texts);
  const labels = rows.map(({ href }, row) => ({ label: shorten(texts[row] ?? ""), href }));
  // The first day's label is centred on its day, so half of it can extend below the row labels.
  const longest = Math.max(2 * letterWidth, ...labels.map((row) => estimateWidth(row.label)));
  return { room: longest + 14, labels };
}

/**
 * Estimates a text's width. Only consecutive capitals are treated as wider, because narrow letters offset a single one.
 */
export function estimateWidth(text: string): number {
  const capitals = text.match(/(?<=\p{Lu})\p{Lu}/gu) ?? [];
  return displayWidth(text) * letterWidth + capitals.length * capitalExtra;
}

export function drawRowAxis(labels: readonly NamedRow[], room: number, rows: Slots): Html {
  const names = labels.map(({ label: text, href }, row) =>
    linkShape(href, drawLabel(text, { x: room - 8, y: rows.middle(row) })),
  );
  return createElement("g", { fill: palette.ink.light, "text-anchor": "end" }, names);
}

export function drawValueAxis(values: readonly { text: string; y: number }[], { left, right }: Area): Html[] {
  const texts = values.map(({ text, y }) => drawLabel(text, { x: left - 8, y }));
  return [
    drawRules(values.map(({ y }) => `M${left} ${roundToTenths(y)}H${right}`)),
    createElement("g", { fill: palette.muted.light, "text-anchor": "end" }, texts),
  ];
}

export function drawRules(paths: readonly string[]): Html {
  return createElement("path", { d: paths.join(""), ...thin, stroke: palette.line.light });
}

interface Step {
  date: string;
  name?: string;
}

export function getStepName({ date, name = formatShortDay(date) }: Step): string {
  return name;
}

/** Draws as many day labels as fit below the plot area. */
export function drawDayAxis(days: readonly Step[], area: Area, slots: Slots): Html[] {
  const interval = Math.ceil(dayRoom / slots.size);
  const labelled = days.flatMap((step, day) =>
    day % interval === 0 ? [{ ...step, x: slots.middle(day) }] : [],
  );
  const line = { d: `M${area.left} ${area.bottom}H${area.right}`, ...thin, stroke: palette.grey.light };
  return [createElement("path", line), drawDayLabels(labelled, area)];
}

/** Omits a label that would be cut off at the right. */
export function drawDayLabels(labels: readonly (Step & { x: number })[], { right, bottom }: Area): Html {
  const texts = labels
    .filter(({ x }) => x + dayRoom / 2 <= right + rightMargin)
    .map(({ x, ...step }) => drawLabel(getStepName(step), { x, y: bottom + 15 }));
  return createElement("g", { fill: palette.muted.light, "text-anchor": "middle" }, texts);
}
