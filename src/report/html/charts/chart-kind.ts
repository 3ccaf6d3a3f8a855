import type { Chart } from "./chart.ts";
import type { Drawing, LegendEntry } from "./drawing.ts";

/** How one kind of chart is drawn. Which kinds there are, `chart.ts` and `render-chart.ts` list. */
export interface ChartKind<Rows extends Chart> {
  /** Laid out for a page, and for a phone; a chart that only reads well at one width has that one, and is scrolled. */
  widths(chart: Rows): readonly number[];
  /** @param id of this drawing alone, for what in it is referred to by name. */
  draw(chart: Rows, width: number, id: string): Drawing;
  /** Nothing where there is one thing to see. */
  legend(chart: Rows): readonly LegendEntry[];
  /** The same as text, headings first. */
  tabulate(chart: Rows): readonly (readonly string[])[];
}

/** Of charts that fit whatever they are shown on. */
export const pageAndPhone: readonly number[] = [960, 340];
