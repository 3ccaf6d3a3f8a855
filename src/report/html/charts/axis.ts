import { displayWidth } from "../../text/display-text.ts";
import { shortDay } from "../../text/people-text.ts";
import { shortenApart } from "../../text/shorten-apart.ts";
import type { Html } from "../html.ts";
import type { NamedRow } from "./chart.ts";
import { palette } from "./palette.ts";
import { element, label, linked, tenths } from "./svg.ts";

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
export interface Places {
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
