import { displayWidth } from "../../text/cell-text.ts";
import { shortDay } from "../../text/people-text.ts";
import { shortenApart } from "../../text/shorten-apart.ts";
import type { DayData } from "../../text/spans.ts";
import { Html, html } from "../html.ts";
import { type Colour, type NamedRow, type Pattern, palette } from "./chart.ts";

/** One chart, laid out for one width. */
export interface Drawing {
  height: number;
  /** Elements of SVG, those behind first. */
  shapes: readonly Html[];
}

/** What a colour (and pattern) of a chart stands for. */
export interface LegendEntry {
  label: string;
  colour: Colour;
  /** What stands in its marks beside the colour. */
  mark?: string;
  /** Of the mark, on the colour. @default the page's own */
  ink?: Colour;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * An element of SVG, without style or script, so that a page may forbid both. Numbers are rounded to tenths of a pixel:
 * nobody sees more, and pages stay small.
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

/** Text whose middle line lies at `y`. */
export function label(text: string, attributes: Attributes): Html {
  return element("text", { dy: ".35em", ...attributes }, text);
}

/**
 * Shapes that lead somewhere. Keyboards pass them: there may be a thousand, and the rows below the chart lead to the same.
 */
export function linked(href: string | undefined, shape: Html): Html {
  return href === undefined ? shape : element("a", { href, tabindex: -1 }, shape);
}

/** What a mark says when pointed at. */
export function title(text: string): Html {
  return html`<title>${text}</title>`;
}

/** For paths that are written out. */
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

/** What stands in a legend for each. */
export const patternMarks: Readonly<Record<Pattern, string>> = { stripes: "/", dots: "∙", bars: "|" };

/** Patterns that a drawing fills shapes with, as `url(#<id>-<pattern>)`: marks in one colour over what lies below. */
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

const said: Readonly<Record<Exclude<DayData, "whole">, string>> = { part: "only in part", none: "no data" };

/** In words, e.g. ` (only in part)` after a value; nothing of what is whole. */
export function partText(data: DayData | undefined): string {
  return data === "part" ? ` (${said.part})` : "";
}

/**
 * Stripes over the places that the data covers in part or not at all, so that a low value there is not taken for a fall.
 * @param id of this drawing alone
 * @param names of the places, e.g. days, for whoever points at one
 */
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

/** What the stripes mean, where there are any. */
export function hatchLegend(data: readonly (DayData | undefined)[]): LegendEntry[] {
  const states = (["part", "none"] as const).filter((state) => data.includes(state));
  if (states.length === 0) return [];
  const label = `${states.map((state) => said[state]).join(", or ")} (striped)`;
  return [{ label, colour: palette.paleGrey, mark: patternMarks.stripes }];
}

/** Of an average letter at the charts' font size. */
const letterWidth = 7;
/** A capital is as much wider. */
const capitalExtra = 2;
/** From the middle of one day's label to that of the next, at least. */
const dayRoom = 52;
/** Between the last day and the edge of the drawing, at least. */
const rightMargin = 12;

/** However the page scales it, a line is as thin as the others. */
const thin = { fill: "none", "shape-rendering": "crispEdges" } as const;

/** What lies between the axes, in pixels from the drawing's upper left corner. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Places of the same size, side by side or below each other. */
interface Places {
  size: number;
  middle(index: number): number;
}

export function placesOf(count: number, from: number, to: number): Places {
  const size = (to - from) / count;
  return { size, middle: (index) => from + size * (index + 0.5) };
}

/** The room for names at the left of a chart, and the names as they fit it: different names stay different. */
export function leftLabels(rows: readonly NamedRow[], width: number): { room: number; labels: NamedRow[] } {
  const most = Math.floor((width * (width < 500 ? 0.48 : 0.36)) / letterWidth);
  const texts = rows.map(({ label }) => label.replace(/\s+/g, " "));
  const shorten = shortenApart(most, texts);
  const labels = rows.map(({ href }, row) => ({ label: shorten(texts[row] ?? ""), href }));
  // Half a day's label stands below the names.
  const longest = Math.max(2 * letterWidth, ...labels.map((row) => widthOf(row.label)));
  return { room: longest + 14, labels };
}

/** About; of a word that is but begun with a capital, the others make up for it. */
export function widthOf(text: string): number {
  const capitals = text.match(/(?<=\p{Lu})\p{Lu}/gu) ?? [];
  return displayWidth(text) * letterWidth + capitals.length * capitalExtra;
}

/** Names at the left of their rows, the first at the top. */
export function rowAxis(labels: readonly NamedRow[], room: number, rows: Places): Html {
  const names = labels.map(({ label: text, href }, row) =>
    linked(href, label(text, { x: room - 8, y: rows.middle(row) })),
  );
  return element("g", { fill: palette.ink.light, "text-anchor": "end" }, names);
}

/** Values at the left, each with its line across. */
export function valueAxis(values: readonly { text: string; y: number }[], { left, right }: Area): Html[] {
  const texts = values.map(({ text, y }) => label(text, { x: left - 8, y }));
  return [
    rules(values.map(({ y }) => `M${left} ${tenths(y)}H${right}`)),
    element("g", { fill: palette.muted.light, "text-anchor": "end" }, texts),
  ];
}

/** Thin lines behind what is drawn. */
export function rules(paths: readonly string[]): Html {
  return element("path", { d: paths.join(""), ...thin, stroke: palette.line.light });
}

/** Of what stands side by side: a day, or what has a name of its own. */
interface Step {
  date: string;
  name?: string;
}

export function stepName({ date, name = shortDay(date) }: Step): string {
  return name;
}

/** The days of a period, below what happened on them: as many as fit beside each other. */
export function dayAxis(days: readonly Step[], area: Area, places: Places): Html[] {
  const every = Math.ceil(dayRoom / places.size);
  const labelled = days.flatMap((step, day) =>
    day % every === 0 ? [{ ...step, x: places.middle(day) }] : [],
  );
  const line = { d: `M${area.left} ${area.bottom}H${area.right}`, ...thin, stroke: palette.grey.light };
  return [element("path", line), dayLabels(labelled, area)];
}

/** One that would be cut off at the right is left out. */
export function dayLabels(labels: readonly (Step & { x: number })[], { right, bottom }: Area): Html {
  const texts = labels
    .filter(({ x }) => x + dayRoom / 2 <= right + rightMargin)
    .map(({ x, ...step }) => label(stepName(step), { x, y: bottom + 15 }));
  return element("g", { fill: palette.muted.light, "text-anchor": "middle" }, texts);
}
