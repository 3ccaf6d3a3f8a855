import type { EChartsOption } from "echarts";
import type { Colour } from "./palette.ts";

/** One chart, laid out for one width. */
export interface Drawing {
  height: number;
  option: EChartsOption;
  /** What each mark says when pointed at, by series and then by position in its data. */
  titles: readonly (readonly string[])[];
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
