import type { Chart } from "./charts/chart.ts";

/**
 * Content of a report's HTML page other than its rows. Each report has a file in `pages/` that provides it.
 */
export interface ReportPage {
  /** Name of the page's only subject. @default the report's title */
  heading?: string | undefined;
  /** The answer, in one or two sentences. */
  headline: string;
  /** Coverage in words, always visible; absent if it does not apply. */
  coverage?: string;
  /** Main figures, by their names in the headers of `sql/reports/`. */
  facts: readonly Fact[];
  charts: readonly Chart[];
  /** Classification of the rows, shown before them. */
  breakdown?: Breakdown | undefined;
  /** Returns this report's own drill-downs, which take precedence over the common ones. */
  hrefOf?(column: string, row: readonly unknown[]): string | undefined;
}

export interface Breakdown {
  title: string;
  text: string;
  headings: readonly [string, string, string];
  rows: readonly { name: string; href?: string | undefined; value: string; text: string }[];
}

export interface Fact {
  /** Name of a figure whose label and definition are in a header of the report's SQL. */
  figure: string;
  /** Formatted for readers. */
  value: string;
  href?: string | undefined;
  /** Unit or basis of the value. */
  note?: string;
}
