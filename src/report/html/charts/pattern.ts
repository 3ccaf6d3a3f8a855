import type { Html } from "../html.ts";
import type { Pattern } from "./chart.ts";
import type { Colour } from "./palette.ts";
import { palette } from "./palette.ts";
import { element } from "./svg.ts";

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
