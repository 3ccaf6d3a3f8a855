import { displayWidth } from "../../text/cell-text.ts";
import { createDistinctShortener } from "../../text/distinct-shortener.ts";
import { shortDay } from "../../text/readable-text.ts";
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
  /** Mark shown on the colour. */
  mark?: string;
  /** Colour of the mark. @default the page's own */
  ink?: Colour;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns an SVG element without style or script, so that a page may forbid both. Numbers are rounded to
 * tenths of a pixel, which is invisible and keeps pages small.
 */
export function element(
  name: string,
  attributes: Attributes,
  ...content: readonly (string | Html | Html[])[]
): Html {
  const written = Object.entries(attributes).map(([key, value]) =>
    typeof value === "number"
      ? new Html(` ${key}="${tenths(value)}"`)
      : value === undefined
        ? undefined
        : html` ${new Html(key)}="${value}"`,
  );
  const tag = new Html(name);
  return html`<${tag}${written}>${content}</${tag}>`;
}

/** Returns text vertically centred on `y`. */
export function label(text: string, attributes: Attributes): Html {
  return element("text", { dy: ".35em", ...attributes }, text);
}

/** Links shapes outside the tab order: there may be a thousand, and rows below have the same links. */
export function linked(href: string | undefined, shape: Html): Html {
  return href === undefined ? shape : element("a", { href, tabindex: -1 }, shape);
}

/** Returns a tooltip for a shape. */
export function title(text: string): Html {
  return html`<title>${text}</title>`;
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

interface Tile {
  size: number;
  turn?: string;
  shapeIn(fill: string): Html;
}

const tiles: Readonly<Record<Pattern, Tile>> = {
  stripes: {
    size: 7,
    turn: "rotate(45)",
    shapeIn: (fill) => element("rect", { width: 2, height: 7, fill }),
  },
  dots: { size: 6, shapeIn: (fill) => element("circle", { cx: 3, cy: 3, r: 1.5, fill }) },
  bars: { size: 6, shapeIn: (fill) => element("rect", { width: 2, height: 6, fill }) },
};

export const patternMarks: Readonly<Record<Pattern, string>> = { stripes: "/", dots: "∙", bars: "|" };

/** Defines transparent patterns in one colour, for fills as `url(#<id>-<pattern>)`. */
export function definePatterns(
  id: string,
  patterns: Iterable<Pattern>,
  colour: Colour = palette.paper,
): Html {
  return element(
    "defs",
    {},
    [...patterns].map((pattern) => {
      const { size, turn, shapeIn } = tiles[pattern];
      const tile = { id: `${id}-${pattern}`, width: size, height: size };
      return element(
        "pattern",
        { ...tile, patternUnits: "userSpaceOnUse", patternTransform: turn },
        shapeIn(colour.light),
      );
    }),
  );
}

const said: Readonly<Record<Exclude<DayData, "whole">, string>> = { part: "partial data", none: "no data" };

/** Returns a suffix like ` (only in part)`; empty for complete data. */
export function partText(data: DayData | undefined): string {
  return data === "part" ? ` (${said.part})` : "";
}

/** Stripes places with partial or no data, so that a low value there is not taken for a fall. */
export function hatch(
  data: readonly (DayData | undefined)[],
  names: readonly string[],
  { area, places, id }: { area: Area; places: Places; id: string },
): Html[] {
  const stripes = data.flatMap((state = "whole", index) => {
    if (state === "whole") return [];
    const shape = { x: places.middle(index) - places.size / 2, y: area.top, width: places.size };
    const fill = { height: area.bottom - area.top, fill: `url(#${id}-stripes)` };
    return [element("rect", { ...shape, ...fill }, title(`${names[index]}: ${said[state]}`))];
  });
  return stripes.length === 0 ? [] : [definePatterns(id, ["stripes"], palette.grey), ...stripes];
}

export function hatchLegend(data: readonly (DayData | undefined)[]): LegendEntry[] {
  const states = (["part", "none"] as const).filter((state) => data.includes(state));
  if (states.length === 0) return [];
  const label = `${states.map((state) => said[state]).join(", or ")} (striped)`;
  return [{ label, colour: palette.paleGrey, mark: patternMarks.stripes }];
}

/** Average width of a letter at the charts' font size. */
const letterWidth = 7;
/** Additional width of a capital. */
const capitalExtra = 2;
/** Minimum distance between the middles of day labels. */
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
interface Places {
  size: number;
  middle(index: number): number;
}

export function placesOf(count: number, from: number, to: number): Places {
  const size = (to - from) / count;
  return { size, middle: (index) => from + size * (index + 0.5) };
}

/** Returns the labels at the left, shortened but still distinct, and the room they need. */
export function leftLabels(rows: readonly NamedRow[], width: number): { room: number; labels: NamedRow[] } {
  const most = Math.floor((width * (width < 500 ? 0.48 : 0.36)) / letterWidth);
  const texts = rows.map(({ label }) => label.replace(/\s+/g, " "));
  const shorten = createDistinctShortener(most, texts);
  const labels = rows.map(({ href }, row) => ({ label: shorten(texts[row] ?? ""), href }));
  // Half a day's label is below the names.
  const longest = Math.max(2 * letterWidth, ...labels.map((row) => widthOf(row.label)));
  return { room: longest + 14, labels };
}

/** Approximate: a single capital is offset by narrow letters. */
export function widthOf(text: string): number {
  const capitals = text.match(/(?<=\p{Lu})\p{Lu}/gu) ?? [];
  return displayWidth(text) * letterWidth + capitals.length * capitalExtra;
}

export function rowAxis(labels: readonly NamedRow[], room: number, rows: Places): Html {
  const names = labels.map(({ label: text, href }, row) =>
    linked(href, label(text, { x: room - 8, y: rows.middle(row) })),
  );
  return element("g", { fill: palette.ink.light, "text-anchor": "end" }, names);
}

export function valueAxis(values: readonly { text: string; y: number }[], { left, right }: Area): Html[] {
  const texts = values.map(({ text, y }) => label(text, { x: left - 8, y }));
  return [
    rules(values.map(({ y }) => `M${left} ${tenths(y)}H${right}`)),
    element("g", { fill: palette.muted.light, "text-anchor": "end" }, texts),
  ];
}

export function rules(paths: readonly string[]): Html {
  return element("path", { d: paths.join(""), ...thin, stroke: palette.line.light });
}

interface Step {
  date: string;
  name?: string;
}

export function stepName({ date, name = shortDay(date) }: Step): string {
  return name;
}

/** Draws as many day labels as fit below the plot area. */
export function dayAxis(days: readonly Step[], area: Area, places: Places): Html[] {
  const every = Math.ceil(dayRoom / places.size);
  const labelled = days.flatMap((step, day) =>
    day % every === 0 ? [{ ...step, x: places.middle(day) }] : [],
  );
  const line = { d: `M${area.left} ${area.bottom}H${area.right}`, ...thin, stroke: palette.grey.light };
  return [element("path", line), dayLabels(labelled, area)];
}

/** Leaves out a label that would be cut off at the right. */
export function dayLabels(labels: readonly (Step & { x: number })[], { right, bottom }: Area): Html {
  const texts = labels
    .filter(({ x }) => x + dayRoom / 2 <= right + rightMargin)
    .map(({ x, ...step }) => label(stepName(step), { x, y: bottom + 15 }));
  return element("g", { fill: palette.muted.light, "text-anchor": "middle" }, texts);
}
