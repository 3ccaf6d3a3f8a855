import type { Chart } from "./chart.ts";
import type { Drawing, LegendEntry } from "./drawing.ts";

/** Drawing functions of one kind of chart. `chart.ts` and `render-chart.ts` list the kinds. */
export interface ChartKind<Rows extends Chart> {
  /**
   * Widths in pixels for a page and for a phone, or a single width for a chart that scrolls because it reads
   * well only at that width.
   */
  widths(chart: Rows): readonly number[];
  /** @param id unique to this drawing, for references within it */
  draw(chart: Rows, width: number, id: string): Drawing;
  /** Returns the legend; empty if the chart shows only one thing. */
  legend(chart: Rows): readonly LegendEntry[];
  tabulate(chart: Rows): readonly (readonly string[])[];
}

/** Widths of charts that fit any screen. */
export const responsiveWidths: readonly number[] = [960, 340];
