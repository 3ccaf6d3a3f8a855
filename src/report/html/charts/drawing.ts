import type { Html } from "../html.ts";
import type { Colour } from "./palette.ts";

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
